import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import type { Scenario } from "../../host-sim/scenario.ts";
import { jobsOf } from "../../host-sim/sweep/runs.ts";

/** The part of a scenario all of whose networks are done, and their outcomes in its order. */
export function finishedPart(
  scenario: Scenario,
  outcomes: ReadonlyMap<number, NetworkOutcome>,
): { readonly scenario: Scenario; readonly outcomes: readonly NetworkOutcome[] } {
  const jobs = jobsOf(scenario, "");
  const isDone = (task: number, learner: number) =>
    outcomes.has(jobs.findIndex((job) => job.task === task && job.learner === learner));
  const tasks = scenario.tasks
    .map((task, t) => ({ ...task, learners: task.learners.filter((_, l) => isDone(t, l)) }))
    .filter(({ learners }) => learners.length > 0);
  const places = [...jobs.keys()].filter((place) => outcomes.has(place));
  return {
    scenario: { ...scenario, tasks },
    outcomes: places.map((place) => outcomes.get(place) as NetworkOutcome),
  };
}
