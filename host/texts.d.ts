// Files that are bundled as texts.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.csv" {
  const text: string;
  export default text;
}
