import type { ChildProcess } from "node:child_process";
import type { Browser } from "playwright-core";
import * as assert from "uvu/assert";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { test } from "../tools/contained.ts";
import { inFolder, killStation, startStation, takeSamples } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { becomes, open, picture, startBrowser } from "./browser.ts";
import { fleet, startGateway } from "./fleets.ts";

let browser: Browser;
let gateway: { child: ChildProcess; url: string };
let station: ChildProcess;
const LISTEN = inFolder("restored.s");

test.before(async () => {
  const node = nameLearner(NODE);
  station = await startStation({ listen: LISTEN, node, checkpoint: inFolder("restored.flash") });
  gateway = await startGateway(fleet("restored", [{ name: "pump", port: `unix:${LISTEN}` }]));
  browser = await startBrowser();
});

test.after(async () => {
  await browser?.close();
  gateway?.child.kill("SIGKILL");
  if (station) await killStation(station);
});

interface Sampled {
  readonly seq: number;
  readonly node?: { readonly sid: number };
}

const state = async () => (await (await fetch(`${gateway.url}/api/nodes/pump`)).json()) as Sampled;

test("an operator picks a kept copy, is asked once more, and sees the node resume from it", async () => {
  await becomes("met", state, ({ node }) => node !== undefined);
  const { sid } = (await state()).node as { sid: number };
  takeSamples(station, 12);
  await becomes("samples", state, ({ seq }) => seq === 12);
  const { page, wrong } = await open(browser, `${gateway.url}/#/node/pump`);
  await page.getByText("Commands", { exact: true }).click();
  const said = () => page.locator(".commands output").innerText();
  await page.getByRole("button", { name: "Keep a copy" }).click();
  await becomes("a copy", said, (text) => text === "kept a copy after sample 12, label 0");
  takeSamples(station, 5);
  await becomes("more samples", state, ({ seq }) => seq === 17);
  await becomes(
    "the list of copies",
    () => page.locator(".copies button").count(),
    (count) => count === 1,
  );
  const clicked = (times: number) =>
    page.evaluate(`(() => {
      const button = document.querySelector(".copies button");
      for (let i = 0; i < ${times}; i++) button.click();
      return button.innerText;
    })()`);
  assert.is(await clicked(1), "Sure? The node loses what it learned since the copy");
  await picture(page, "restore");
  await becomes(
    "the question withdrawn",
    () => page.locator(".copies button").innerText(),
    (text) => text === "Restore",
  );
  assert.is((await state()).seq, 17, "a first click does nothing");
  assert.is(await clicked(2), "Restore");
  await becomes("its answer", said, (text) =>
    /^resumes from the copy of \S+: after sample 12 and label 0, in session \d+$/.test(text),
  );
  await becomes("the copy's sample", state, ({ seq, node }) => seq === 12 && node?.sid !== sid);
  const events = () => page.locator(".events").innerText();
  await becomes("an event", events, (text) => text.includes("resumes from the copy of "));
  await picture(page, "restored");
  assert.equal(wrong, []);
});

test.run();
