// Moddable SDK modules that the typings on npm lack: as in its typings/embedded/storage/flash.d.ts.

declare module "embedded:storage/flash" {
  export interface FlashStatus {
    readonly size: number;
    readonly blockLength: number;
    readonly blocks: number;
    /** Not on ESP32. */
    readonly writeAlign?: number;
  }

  export interface Flash {
    close(): void;
    eraseBlock(start: number, end: number): void;
    read(buffer: Uint8Array, byteOffset: number): number;
    write(buffer: Uint8Array, byteOffset: number): void;
    status(): FlashStatus;
  }

  const flash: { open(options: { path: string; mode?: "r" | "r+" }): Flash };
  export default flash;
}
