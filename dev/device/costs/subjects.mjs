// The learners to measure, as the measuring program names them.
import { execFileSync } from "node:child_process";
import { bundle } from "../../../targets/emulator/bundle.mjs";
import { buildLinux } from "../../../targets/emulator/engine.mjs";
import { model } from "./runs.mjs";

/** The programs, with those plugins' learners besides the shipped ones, and their learners' names. */
export async function loadSubjects(plugins) {
  const { program, node } = await bundle(plugins);
  const listNames = (run) =>
    JSON.parse(execFileSync(process.execPath, [node, JSON.stringify({ run })], { encoding: "utf8" }));
  const names = listNames("names");
  return {
    program,
    linux: await buildLinux(),
    names,
    /** Characters of the text of each one's layout. */
    texts: listNames("texts"),
    /** Learners by themselves; several classes cost so many times one. */
    learners: names.filter((name) => !["node", "wire"].includes(name) && !name.includes("/")),
    /**
     * Learners whose longest step is one that forgets, or for NOGD the eigenproblem after it: see Place in
     * programs/stream.ts.
     */
    forgetful: listNames("forgetful"),
    /** Learners that find their width unless it is given. Measurements give it, but for the cost of finding it. */
    finders: listNames("finders"),
  };
}

/** That learner with each of the options that its costs count apart. */
export const dearer = (name) => (model.costTraits(name).dearer ?? []).map((option) => `${name}/${option}`);

/** That learner with a given width, if it finds its own. */
export const withGivenWidth = (name, finders) => {
  const [learner, ...variants] = name.split("/");
  return finders.includes(learner) ? [learner, "given", ...variants].join("/") : name;
};

/** True if it names a learner with several classes, whose costs are measured apart. */
export const hasClasses = (name) => name.split("/").includes(model.CLASSES);

/** True if an option gives that learner its bytes. */
export const isSized = (name) => {
  const [learner, ...variants] = name.split("/");
  return variants.includes(model.sizeOption(learner)) || hasClasses(name);
};

/** The measuring program's name of a learner, with so many classes if they are measured apart. */
export const runName = (name, classes = 3) => {
  const [learner] = name.split("/");
  return hasClasses(name) ? `${learner}/${classes}/${model.sizeOption(learner)}` : name;
};

/**
 * True if it names one of those learners with options that its costs count apart, or with vectors of 16 bits. An option that gives the learner its bytes
 * stands alone: few of the sizes have room for another.
 */
export function isVariant(name, learners) {
  const [learner, ...options] = name.split("/");
  if (options.length > 1 && isSized(name)) return false;
  const known = [...(model.costTraits(learner).dearer ?? []), "q15"];
  return (
    learners.includes(learner) && options.length > 0 && options.every((option) => known.includes(option))
  );
}

/** True if it is one of those learners with vectors of 16 bits. */
export const isShort = (name, learners) => name.endsWith("/q15") && isVariant(name, learners);
