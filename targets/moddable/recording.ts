import Resource from "Resource";

/** The recording that `flash --emulate` wrote: its session, then samples one after the other, a float32 for each channel, little-endian. */
const recording = new DataView(new Resource("readings.bin") as unknown as ArrayBuffer);
const HEADER_BYTES = 4;

/**
 * The sensor of a node on an emulated board, which has none: it plays the recording, and begins again after its last sample. A sample is known by its
 * number, `taken`, the samples that the node has taken: after a restart the node takes those that follow its checkpoint.
 */
export function recordedSensor(channels: number, taken: () => number) {
  const bytes = 4 * channels;
  return {
    channels,
    /** A label finds its sample, whichever start took it. */
    session: recording.getUint32(0, true),
    read(to: Float32Array, first: number): void {
      const place = (taken() * bytes) % (recording.byteLength - HEADER_BYTES);
      for (let j = 0; j < channels; j++)
        to[first + j] = recording.getFloat32(HEADER_BYTES + place + 4 * j, true);
    },
  };
}
