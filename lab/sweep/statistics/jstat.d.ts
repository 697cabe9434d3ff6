/** What is used of jStat, which brings no types. */
declare module "jstat" {
  const jStat: {
    readonly studentt: { inv(p: number, freedom: number): number };
    readonly chisquare: { cdf(x: number, freedom: number): number };
    /** The studentized range. */
    readonly normal: { inv(p: number, mean: number, deviation: number): number };
    readonly tukey: { inv(p: number, means: number, freedom: number): number };
  };
  export default jStat;
}
