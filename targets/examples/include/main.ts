import { type Family, familyNamed, nativeF32 } from "motelearn";
import Timer from "timer";

// Is x inside the unit circle? A learner of 16 support vectors finds out, ten samples a second.
const family = familyNamed("olk-c") as Family;
const options = { dimension: 2, budget: 16 };
const layout = family.layout(options);
const memory = layout.range(nativeF32(new ArrayBuffer(layout.bytes)));
const learner = family.create({ ...options, memory });
const x = new Float32Array(2);
let right = 0;
let seen = 0;

Timer.repeat(() => {
  x[0] = 3 * Math.random() - 1.5;
  x[1] = 3 * Math.random() - 1.5;
  const y = x[0] * x[0] + x[1] * x[1] < 1 ? 1 : -1;
  if (learner.learn(x, y) * y > 0) right++;
  seen++;
  if (seen % 50 === 0) trace(`${right} of ${seen} right\n`);
}, 100);
