import * as assert from "uvu/assert";
import { passwordHash } from "../../fleet/access/secrets.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { ended, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { becomes, open, startBrowser } from "./browser.ts";
import { fleet, startGateway } from "./fleets.ts";

const PASSWORD = "right horse";

test("where the fleet has users the page asks who it is, and labels and commands in that name", async () => {
  const listen = inFolder("n1");
  const options = {
    sid: 1,
    channels: 2,
    pending: 256,
    learner: familyNamed("olk-c")!,
    options: { budget: 8 },
  };
  const station = await startStation({ listen, node: nameLearner(options), sampleMs: 200 });
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
  assert.is(await page.getByRole("textbox", { name: "your name" }).inputValue(), "anna");
  await browser.close();
  assert.is(await ended(gateway.child, "SIGTERM"), 0);
  await killStation(station);
});

test.run();
