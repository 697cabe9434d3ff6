import * as assert from "uvu/assert";
import { passwordHash } from "../../fleet/access/secrets.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { ended, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { becomes, open, picture, startBrowser } from "./browser.ts";
import { fleet, startGateway } from "./fleets.ts";

const PASSWORD = "right horse";

/** The options of a node that asks nothing. */
const NODE = {
  sid: 1,
  channels: 2,
  pending: 256,
  learner: familyNamed("olk-c")!,
  options: { budget: 8 },
};

test("where the fleet file asks for names nobody answers without one, at the page or over HTTP", async () => {
  const listen = inFolder("named.s");
  const station = await startStation({ listen, node: nameLearner(NODE), sampleMs: 200 });
  const gateway = await startGateway(
    fleet("page-named", [{ name: "n1", port: `unix:${listen}` }], { askName: true }),
  );
  const browser = await startBrowser();
  const { page, wrong } = await open(browser, `${gateway.url}/#/label`, {
    viewport: { width: 390, height: 800 },
  });
  const card = () => page.locator(".card").innerText();
  await becomes("who it is", card, (text) => text.includes("Who are you?"));
  await page.keyboard.press("1");
  await page.keyboard.press("u");
  assert.match(await card(), /Who are you\?/);
  assert.is(await page.locator(".given b").count(), 0);
  const name = page.getByRole("textbox", { name: "your name" });
  await name.focus();
  await name.pressSequentially("   ");
  await page.keyboard.press("Enter");
  assert.match(await card(), /Who are you\?/, "blanks are no name");
  await name.focus();
  await name.pressSequentially("Jo 1");
  await page.keyboard.press("Enter");
  await becomes("a sample", card, (text) => text.includes("sample "));
  await becomes(
    "curves",
    () => page.locator(".curve").count(),
    (count) => count === 2,
  );
  assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")) <= 0);
  await picture(page, "question-phone");
  await page.keyboard.press("1");
  const who = () => page.locator("aside tbody").innerText();
  await becomes("in that name", who, (text) => text.startsWith("Jo 1"));
  const post = async (label: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(label) };
    const response = await fetch(`${gateway.url}/api/nodes/n1/labels`, init);
    return [response.status, ((await response.json()) as { error?: string }).error] as const;
  };
  for (const by of [undefined, " "])
    assert.equal(await post({ seq: 1, label: 1, by }), [
      400,
      "by: the fleet file asks for the name of who labels; give one",
    ]);
  assert.equal(wrong, []);
  await browser.close();
  assert.is(await ended(gateway.child, "SIGTERM"), 0);
  await killStation(station);
});

test("where the fleet has users the page asks who it is, and labels and commands in that name", async () => {
  const listen = inFolder("n1");
  const station = await startStation({ listen, node: nameLearner(NODE), sampleMs: 200 });
  const users = [{ name: "anna", role: "operate", password: await passwordHash(PASSWORD) }];
  const gateway = await startGateway(
    fleet("page-users", [{ name: "n1", port: `unix:${listen}` }], { users }),
  );
  const browser = await startBrowser();
  const { page } = await open(browser, `${gateway.url}/#/label`);
  const said = () => page.locator("output").first().innerText();
  await page.getByLabel("Name").fill("anna");
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Log in" }).click();
  await becomes("refused", said, (text) => text.length > 0);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await becomes(
    "a sample",
    () => page.locator(".card").innerText(),
    (text) => text.includes("sample "),
  );
  await page.keyboard.press("1");
  const who = () => page.locator("aside tbody").innerText();
  await becomes("in her name", who, (text) => text.startsWith("anna"));
  assert.match(await page.locator(".overview-tools").innerText(), /You are anna/);
  assert.is(await page.getByRole("textbox").count(), 0, "the login says who it is");
  await browser.close();
  assert.is(await ended(gateway.child, "SIGTERM"), 0);
  await killStation(station);
});

test.run();
