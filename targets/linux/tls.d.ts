// A Moddable SDK module without typings: its examples/io/tcp/tlssocket.

declare module "embedded:io/socket/tcp/tls" {
  const TLSSocket: unknown;
  export default TLSSocket;
}
