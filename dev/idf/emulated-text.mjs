/** The text of docs/emulated.md. */
export function emulatedText([head, ...rows], { sdk, idf, qemu }) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return `# The firmware in Espressif's QEMU

Written by \`npm run test:idf\` on ${new Date().toISOString().slice(0, 10)}, with Moddable SDK ${sdk}, ESP-IDF ${idf} and ${qemu}.

What ran on what:

| target | real board | Espressif's QEMU | this project's emulated chip |
| --- | --- | --- | --- |
| ESP32-C3 | none | the firmware, whole | a node, by instruction set |
| ESP32, ESP32-S3 | none | none | a node, by instruction set |
| RP2040, RP2350, nRF52840 | none | Espressif has none | a node, by instruction set |

For each learner, on an ESP32-C3: what \`plan\` says, and what its node reported. QEMU takes 8 ns for an instruction, so the planned
milliseconds are scaled from the chip's clock to that.

${line(head)}
${line(head.map(() => "---"))}
${rows.map(line).join("\n")}
`;
}
