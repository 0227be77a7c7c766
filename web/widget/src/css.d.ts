// Style sheets are texts; the build makes them small.

declare module "*.css" {
  const text: string;
  export default text;
}
