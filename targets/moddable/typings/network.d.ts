// Moddable SDK modules that the typings on npm lack, or have otherwise: as in its typings/embedded_network.

declare module "embedded:network/mqtt/client" {
  const MQTTClient: unknown;
  export default MQTTClient;
}

declare module "embedded:network/interface/wifi" {
  const WiFi: new (options: { onChanged(): void }) => import("../wifi-station.ts").WifiInterface;
  export default WiFi;
}

declare module "embedded:io/socket/tcp" {
  const TCP: unknown;
  export default TCP;
}
