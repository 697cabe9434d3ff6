import { test } from "uvu";
import { refusesHere } from "../cli/program.ts";

/** The node for which the shipped manifests are made. */
const SHIPPED = ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "64"];

test("what can't be used is refused in one line", async () => {
  await refusesHere(
    ["plan", "--learner", "pa", "--dimension", "8", "--budget", "64"],
    "pa has no option budget",
  );
  await refusesHere(["plan", "--dimension", "8"], "--learner");
  await refusesHere(["plan", "--learner", "olk-c"], "--dimension");
  await refusesHere(["plan", "--learner", "nroma-c", "--dimension", "8"], "nroma-c", "norma-c");
  await refusesHere(["plan", "--learner", "olk-c", "--dimension", "x"], "--dimension", "whole number");
  await refusesHere(
    ["plan", "--learner", "olk-c", "--dimension", "8", "--budget", "5000"],
    "budget",
    "got 5000",
    "<= 4096",
  );
  await refusesHere(
    ["plan", "--learner", "olk-c", "--dimension", "8", "--options", '{"kernl":1}'],
    "kernl",
    "kernel",
  );
  await refusesHere(
    ["plan", "--learner", "olk-r", "--dimension", "8", "--classes", "3"],
    "--classes",
    "regression",
  );
  await refusesHere(
    ["plan", "--learner", "olk-c", "--dimension", "8", "--pending", "70000"],
    "--pending",
    "65535",
  );
  await refusesHere(
    ["plan", "--learner", "olk-c", "--dimension", "8", "--options", '{"dimension":9}'],
    "--dimension 8",
  );
});

test("what a board isn't asked for, or can't be, is refused in one line", async () => {
  await refusesHere([...SHIPPED, "--target", "esp8266"], "esp8266", "esp32c3");
  await refusesHere([...SHIPPED, "--period", "10"], "--period", "--target");
  await refusesHere([...SHIPPED, "--creation"], "--creation", "--target");
  await refusesHere([...SHIPPED, "--target", "esp32", "--period", "0"], "--period", "> 0");
  const battery = ["--period", "1000", "--battery", "2000"];
  await refusesHere([...SHIPPED, "--target", "pico", ...battery], "--battery: pico", "esp32|esp32s3|esp32c3");
  await refusesHere([...SHIPPED, "--target", "esp32", "--pending", "0"], "--pending");
  await refusesHere([...SHIPPED, "--target", "esp32", "--creation", "--json"], "--creation", "--json");
  await refusesHere([...SHIPPED, "--pending", "0", "--window", "4"], "--window");
  await refusesHere([...SHIPPED, "--battery", "2000"], "--battery", "--target", "--period");
  await refusesHere(
    [...SHIPPED, "--target", "esp32", "--period", "9", "--talk-every", "2"],
    "--talk-every",
    "--battery",
  );
  await refusesHere(
    [...SHIPPED, "--target", "esp32", "--period", "9", "--battery", "-2"],
    "--battery",
    "> 0",
  );
});

test.run();
