// Files of other packages that are bundled as texts.
declare module "uplot/*" {
  const text: string;
  export default text;
}
declare module "*.csv" {
  const text: string;
  export default text;
}
