// npm run test:mqtt -- PROGRAM: a whole node in the program that mcconfig built for x-cli-lin, with the SDK's
// MQTT client. `motelearn labels` teaches it over mosquitto, which the test kills half way and restarts, and
// over a broker that loses, repeats and delays frames. Each time the node must end in the simulator's state.
// Then the program samples a recorded stream by itself, at one gateway with a board in QEMU; it is killed and
// resumes, and both nodes must end in the states of simulated nodes.
// The node's connection to mosquitto is then encrypted, and its TLS is judged and measured. First it lets the program load mods, which XS maps as on a board. Takes mosquitto and openssl on PATH (Debian: their names).
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { imported } from "../../targets/emulator/bundle.mjs";
import { MOTELEARN } from "../../targets/emulator/own-project.mjs";
import { check, close } from "../device/checks.mjs";
import { generator } from "../device/generator.mjs";
import { start, startCentre } from "../device/test/commands.mjs";
import { checkMods } from "./mods.mjs";
import { Authority, freePort, HOST, Mosquitto } from "./mosquitto.mjs";
import { checkTls } from "./tls.mjs";

const SAMPLES = 400;
const NAME = "plant/n1";
const USER = { user: "n1", password: "a password" };
const HARM = { lost: 0.05, twice: 0.1, late: 0.1 };
const HARM_SEED = 7;

const program = process.argv[2];
const fault = !program
  ? "takes a program"
  : !existsSync(program)
    ? `${program}: none there; takes what "mcconfig -m -p x-cli-lin" built`
    : spawnSync("mosquitto", ["-h"]).error && "no mosquitto on PATH (Debian: mosquitto)";
if (fault) {
  console.error(`test:mqtt: ${fault}`);
  process.exit(2);
}

/** A mosquitto with one user. `more`: further lines for its file. */
function mosquittoFor(place, port, more = []) {
  const passwords = join(place, "passwords");
  spawnSync("mosquitto_passwd", ["-b", "-c", passwords, USER.user, USER.password]);
  const lines = [`listener ${port} 127.0.0.1`, "allow_anonymous false", `password_file ${passwords}`];
  return new Mosquitto(join(place, "mosquitto.conf"), [...lines, ...more]);
}

/** The tests' own broker, which damages frames. */
async function startHarmful() {
  const { TestBroker } = await imported("test/tools/broker.ts");
  return TestBroker.start({ harm: { ...HARM, random: generator(HARM_SEED) } });
}

/** The node's program at a broker: its output, and its exit when its input ends. */
function startNode(place, flash, node, broker) {
  const network = { wifi: { ssid: "none" }, broker: { ...broker, ...USER }, node: NAME };
  const argument = { run: "mqtt", node, flash: join(place, flash), network };
  const child = spawn(program, [JSON.stringify(argument)]);
  const ended = once(child, "close");
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      said += text;
    });
  return {
    async close() {
      child.stdin.end();
      const [code] = await ended;
      return { code, said };
    },
  };
}

/**
 * A node that learns the centre's labels over a broker, by default at the same port as `labels`; `meanwhile` is called once half of them are learned.
 */
async function checkTaught(what, place, centre, { port, broker = { host: "127.0.0.1", port } }, meanwhile) {
  const node = startNode(place, what, centre.node, broker);
  const address = `mqtt://${USER.user}@127.0.0.1:${port}/${NAME}`;
  let last = {};
  let done;
  const labels = start([MOTELEARN, "labels", "--port", address, "--from", centre.from, "--json"], (line) => {
    last = JSON.parse(line);
    if (last.event === "label" && last.labelled >= centre.labels / 2) done ??= meanwhile?.();
  });
  const { code, errors } = await labels.ended;
  await done;
  const { code: left, said } = await node.close();
  const { state, labels: counted, bits, link } = last;
  check(`${what}: labels ends well`, code === 0, [code, errors]);
  check(`${what}: the state of the simulator's node`, state?.stateHash === centre.stateHash, last);
  check(`${what}: also of the whole node`, state?.nodeHash === centre.nodeHash, state);
  check(`${what}: each label is durable`, counted?.durable === centre.labels, counted);
  const { applied, expired } = counted?.counted ?? {}; // an expired label came too late in the simulator, too
  check(`${what}: each is learned once`, applied + expired === centre.labels, counted);
  check(`${what}: same bits`, bits?.verdict === "same bits" && bits.learner, bits);
  check(`${what}: the program ends with its input`, left === 0, [left, said]);
  console.log(`${what}: ${counted?.durable} labels, ${counted?.resent} sent again, ${bits?.verdict};`);
  console.log(`  state ${state?.stateHash}, ${JSON.stringify(link)}; ${said.replaceAll("\n", "; ")}`);
}

/** The program and a board in QEMU learn labels that one gateway takes over HTTP. */
async function checkAtGateway(port) {
  const { learnAtGateway } = await imported("test/targets/linux/at-gateway.ts");
  const { first, second, nodes } = await learnAtGateway(program, { port, ...USER });
  check("gateway: the Linux node starts fresh", /: fresh, session \d+, sample 0$/.test(first), first);
  check("gateway: it resumes", /: restored, session \d+, sample [1-9]/.test(second), second);
  for (const [name, { real, simulated }] of Object.entries(nodes)) {
    check(`gateway: ${name} ends as simulated`, isDeepStrictEqual(real, simulated), { real, simulated });
    console.log(`gateway: ${name}: ${simulated.labelled} labels, state ${simulated.hash}`);
  }
}

checkMods(program);
process.env.MOTELEARN_MQTT_PASSWORD = USER.password;
const place = mkdtempSync(join(tmpdir(), "motelearn-"));
const centre = await startCentre(place, SAMPLES);
const port = await freePort();
const mosquitto = mosquittoFor(place, port);
await mosquitto.start();
let restarts = 0;
const restart = (broker) => async () => {
  await broker.close();
  await broker.start();
  restarts++;
};
await checkTaught("mosquitto", place, centre, { port }, restart(mosquitto));
await checkAtGateway(port);
await mosquitto.close();
const ports = [];
while (ports.length < 8) ports.push(await freePort());
await checkTls(program, place, ports.slice(2));
const authority = new Authority(place, "plant");
const secure = mosquittoFor(place, ports[0], authority.broker("secure", ports[1]));
await secure.start();
const broker = { host: HOST, port: ports[1], ca: authority.file("crt") };
await checkTaught("tls", place, centre, { port: ports[0], broker }, restart(secure));
await secure.close();
check("mosquitto was killed half way, twice", restarts === 2, restarts);
const harmful = await startHarmful();
await checkTaught("harmful", place, centre, harmful);
for (const [harm, count] of Object.entries(harmful.harmed)) check(`frames ${harm}`, count > 0, count);
console.log(`harmful: frames ${JSON.stringify(harmful.harmed)}`);
await harmful.close();
await centre.close();
rmSync(place, { recursive: true });
close();
