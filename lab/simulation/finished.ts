import type { NetworkOutcome } from "../../host-sim/network/network.ts";
import { planRuns } from "../../host-sim/runs/runs.ts";
import type { Scenario } from "../../host-sim/scenario/scenario.ts";

/** The part of a scenario whose networks are all done, and their outcomes in its order. */
export function finishedPart(
  scenario: Scenario,
  outcomes: ReadonlyMap<number, NetworkOutcome>,
): { readonly scenario: Scenario; readonly outcomes: readonly NetworkOutcome[] } {
  const runs = planRuns(scenario, "");
  const isDone = (task: number, learner: number) =>
    outcomes.has(runs.findIndex((run) => run.task === task && run.learner === learner));
  const tasks = scenario.tasks
    .map((task, t) => ({ ...task, learners: task.learners.filter((_, l) => isDone(t, l)) }))
    .filter(({ learners }) => learners.length > 0);
  const places = [...runs.keys()].filter((place) => outcomes.has(place));
  return {
    scenario: { ...scenario, tasks },
    outcomes: places.map((place) => outcomes.get(place) as NetworkOutcome),
  };
}
