/**
 * Own labels of a node of a group that are best asked for where the group's model is surest: an answer then shows at once whether the node is like its
 * group, and costs a node that is alike next to nothing. From then on unsure samples teach more.
 */
export const FIRST_ASKED = 2;
/** The size of a model's decision from which it is called sure: of probability .95. */
export const SURE = 3;
