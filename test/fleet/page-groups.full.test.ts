/** The page of a fleet that learns together: who helps whom, who is left out, a model anew, a group that is turned off. */
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { newToken, passwordHash, tokenHash } from "../../fleet/access/secrets.ts";
import { become } from "../tools/awaited.ts";
import { ended, test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { becomes, open, picture, startBrowser, whileStopped, withClock } from "./browser.ts";
import { fleet, startGateway } from "./fleets.ts";
import { NODE, Watched } from "./watched.ts";

const ALIKE = { ...NODE, fleetBudget: 8 };
const PERIOD_MS = 100;
const PASSWORD = "right horse";
const LABELS = 24;
/** Samples nearer to the border between the classes get no label. */
const CLEAR = 0.3;
/** The odd node's model: which of the two its labels speak for more depends on which samples got them. */
const OWN_WAY = /(mirrored: the group's with the classes swapped|own: from its own answers alone)/;
/** Of these nodes the last but one gets wrong labels, and the last none. */
const NAMES = ["n1", "n2", "n3", "odd", "new"];

/** Labels each node's newest sample by the sign of its first reading, the odd one's by the opposite. */
async function label(url: string, token: string, { name, newest, samples, taken }: Watched): Promise<void> {
  if (name === "new" || !newest || taken.size >= LABELS) return;
  const { sid, seq } = newest;
  const [first] = samples.get(`${sid} ${seq}`) as number[];
  if (taken.has(`${sid} ${seq}`) || Math.abs(first) < CLEAR) return;
  const response = await fetch(`${url}/api/nodes/${name}/labels`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ sid, seq, label: first > 0 === (name !== "odd") ? 1 : -1 }),
  });
  if (response.status === 202) taken.add(`${sid} ${seq}`);
}

async function logIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: /^Groups/ }).waitFor();
}

/** Holds back what the page asks for of a node's samples, as a busy gateway does; returns what lets it through. */
async function withholdRows(page: Page, name: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  await page.route(new RegExp(`/api/(live|nodes/${name}/history)`), async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const row = (page: Page, name: string) => page.locator(".members tbody tr", { hasText: name });

test("the page shows who helps whom and who is left out; an operator has a node get a model, and turns a group off", async () => {
  const [broker, token] = [await freePort(), newToken()];
  const at = (name: string) => `mqtt://127.0.0.1:${broker}/${name}`;
  const users = [
    { name: "anna", role: "operate", password: await passwordHash(PASSWORD) },
    { name: "bob", role: "look", password: await passwordHash(PASSWORD) },
    { name: "camera", role: "label", token: tokenHash(token) },
  ];
  const nodes = NAMES.map((name) => ({ name, port: at(name) }));
  const gateway = await startGateway(
    fleet("page-groups", nodes, { broker, users, together: { vectors: 8 } }),
  );
  const watched = NAMES.map((name) => new Watched(name, at(name), PERIOD_MS, ALIKE));
  const browser = await startBrowser();
  const { page, wrong } = await open(browser, gateway.url, {}, withClock);
  await logIn(page, "anna");
  const labelled = async () => {
    await Promise.all(watched.map((each) => label(gateway.url, token, each)));
    return watched.every(({ name, taken }) => name === "new" || taken.size >= LABELS);
  };
  await become("labels", labelled, () => JSON.stringify(watched.map(({ taken }) => taken.size)), 50);

  await page.getByRole("link", { name: /^Groups/ }).click();
  const said = () => page.locator(".groups-view section").innerText();
  await becomes("who is left out", said, (text) =>
    text.includes("odd is left out: its answers contradict the others' model."),
  );
  await becomes("who helps", said, (text) =>
    text.includes("n1, n2 and n3 help each other, and new, which has no answers yet."),
  );
  assert.match(await row(page, "odd").innerText(), /⊘ left out\s+[\d.]+ % of its answers contradict/);
  assert.match(await row(page, "n1").innerText(), /✓ helps/);
  await becomes(
    "the newcomer's model",
    () => row(page, "new").innerText(),
    (text) => /no answers yet[\s\S]*group: the group's[\s\S]*the fleet's model/.test(text),
  );
  await page.getByRole("link", { name: "Groups 1" }).waitFor();
  await picture(page, "groups");

  await row(page, "new").getByRole("button", { name: "Retrain" }).click();
  await row(page, "new").getByText("gets a model of its group anew").waitFor();

  await page.getByRole("link", { name: "odd", exact: true }).click();
  await becomes(
    "its place in words",
    () => page.locator(".figures").innerText(),
    (text) => /left out: [\d.]+ % of its answers/.test(text) && OWN_WAY.test(text),
  );
  assert.match(await page.locator(".node-head").innerText(), /left out of its group/);
  await page.getByText("Commands").click();
  await page.getByRole("button", { name: "Retrain" }).click();
  await page.locator(".commands output", { hasText: "gets a model of its group anew" }).waitFor();

  const release = await withholdRows(page, "new");
  await page.goto(`${gateway.url}/#/node/new`);
  await page.getByText("Explain a decision").click();
  await page.getByRole("button", { name: "Explain", exact: true }).click();
  await page.getByText("waiting for a decision…").waitFor();
  release();
  await page.getByText(/the fleet's model judged/).waitFor();
  assert.match(await page.locator(".explained").innerText(), /The fleet's model, after label \d+\./);

  const bob = await open(browser, gateway.url, {
    viewport: { width: 390, height: 800 },
    colorScheme: "dark",
  });
  await logIn(bob.page, "bob");
  await bob.page.getByRole("link", { name: /^Groups/ }).click();
  await row(bob.page, "odd").waitFor();
  assert.is(await bob.page.getByRole("button", { name: /Retrain|Turn/ }).count(), 0, "he only looks");
  assert.ok((await bob.page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")) <= 0);
  await picture(bob.page, "groups-phone");

  await page.getByRole("link", { name: /^Groups/ }).click();
  await whileStopped(page, async () => {
    await page.getByRole("button", { name: "Turn the group off" }).click();
    await page.getByRole("button", { name: /^Sure\?/ }).click();
  });
  await becomes("off", said, (text) => text.includes("The group is off: its machines get no models"));
  await page.getByRole("button", { name: "Turn the group on" }).waitFor();
  await becomes(
    "why its model stays",
    () => row(page, "n1").innerText(),
    (text) => text.includes("no newer one: its group is off"),
  );
  assert.is(await page.getByRole("button", { name: "Retrain" }).count(), 0);
  assert.equal(
    [...wrong, ...bob.wrong].filter((text) => !/40[19]/.test(text)),
    [],
  );
  await browser.close();
  assert.is(await ended(gateway.child, "SIGTERM"), 0);
  await Promise.all(watched.map(({ node }) => node.cutPower()));
});

test.run();
