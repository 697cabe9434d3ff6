/** What a person says of a learner; its facts come from the registry, from `plan` and from a run. */
export interface Card {
  /** In one or two sentences: how it learns. */
  readonly idea: string;
  /** A line each. Numbers in parentheses are those of the paper. */
  readonly equation: readonly string[];
  /** When to take it, and when to take another. */
  readonly use: string;
}

/** The groups of the guide, in its order, and the cards of each; `test/readme-cards.test.ts` wants one for each learner. */
export const CARDS: { readonly [group: string]: { readonly [learner: string]: Card } } = {
  "A committee": {
    auto: {
      idea: "Seven members vote. Hidden Markov models estimate from the labels alone how long classes persist and how often labels are wrong; the vote follows the members that erred least.",
      equation: [
        "decision = sum_i exp(-eta (L_i - min L)) vote_i / sum_i exp(-eta (L_i - min L))",
        "L_i: the discounted loss of member i on labels, late and wrong ones included",
      ],
      use: "You know little of your classes and labels, and don't want to choose options. It takes more instructions than any of its members.",
    },
  },
  "Kernel learners for two classes": {
    "olk-c": {
      idea: "Each sample solves a small optimisation exactly: stay near the old function, stay small, and meet the label with margin 1.",
      equation: [
        "alpha = clip((1 + r - y f(x)) / k(x, x), 0, C)   (33)",
        "a_i <- a_i / (1 + r);   append y alpha / (1 + r) if alpha > 0",
      ],
      use: "The first kernel classifier to try. C bounds the damage of one wrong label. With several classes it can share one dictionary.",
    },
    "norma-c": {
      idea: "One step of stochastic gradient descent on the regularised hinge loss in the kernel's space; old coefficients shrink.",
      equation: [
        "a_i <- (1 - eta lambda) a_i;   append eta y if y g(x) <= rho",
        "rho <- rho + eta (nu - [y g(x) <= rho]), if nu > 0",
      ],
      use: "You want the plain gradient method of the literature, or a margin that adapts (nu). OLK takes larger steps where they are safe.",
    },
    "kernel-perceptron": {
      idea: "It stores a sample only if it was classified wrongly.",
      equation: ["if y f(x) <= 0: append eta y"],
      use: "Few mistakes are expected: then it stores few vectors and predicts fast. Wrong labels are stored like right ones.",
    },
    forgetron: {
      idea: "A kernel perceptron with a budget and a mistake bound: before the oldest vector leaves, all coefficients shrink so that its leaving does little damage.",
      equation: [
        "phi = the largest in (0, 1] with (phi s)^2 + 2 phi s - 2 (phi s)(phi mu) <= 15/32 M - Q",
        "a_i <- phi a_i;   the oldest vector leaves",
      ],
      use: "You need the published mistake bound, or a stream that drifts steadily, so that the oldest vector is the least useful.",
    },
    projectron: {
      idea: "At a mistake it projects the new vector on those that it has; it stores the vector only if the projection loses much.",
      equation: [
        "d = K^-1 k;   delta^2 = k(x, x) - k.d",
        "at a mistake: a <- a + y d if delta <= eta, else append y",
      ],
      use: "Inputs lie in a small region of the kernel's space, so that few vectors span them. Learning costs the square of their number.",
    },
    "projectron-pp": {
      idea: "The Projectron, which also learns from right decisions within the margin.",
      equation: [
        "l = 1 - y f(x);   p = k.d;   tau = min(l / p, 2 (l - delta / eta) / p, 1)",
        "if 0 < y f(x) < 1 and l - delta / eta >= 0: a <- a + y tau d",
      ],
      use: "As the Projectron, where mistakes are too seldom to learn from.",
    },
    bsgd: {
      idea: "A support vector machine by stochastic gradient, with a budget: two vectors of the same sign merge into one where the budget is full.",
      equation: [
        "a_i <- (1 - 1/t) a_i;   append y / (lambda t) if y f(x) < 1",
        "z = h c_i + (1 - h) c_j,   h = argmax of m k_ij^((1-h)^2) + (1-m) k_ij^(h^2)",
      ],
      use: "Classes stay the same for long. It averages over all samples, so it is slow to follow a change.",
    },
    nogd: {
      idea: "Kernel values against stored vectors become linear features by an eigenproblem (Nystroem); gradient descent learns on those.",
      equation: ["K = V D V';   z(x) = D_k^(-1/2) V_k' k(x)", "if y f(x) < 1: w <- w + eta_w y z(x)   (8)"],
      use: "The vectors of a short time describe the inputs of a long one. After the eigenproblem learning is cheap.",
    },
    fogd: {
      idea: "Random Fourier features stand in for the kernel. A linear rule learns on them; no sample is stored.",
      equation: [
        "z(x) = [cos(u_1.x), sin(u_1.x), ..., cos(u_D.x), sin(u_D.x)]",
        "if y w.z(x) < 1: w <- w + eta y z(x)   (7)",
      ],
      use: "Learning must take the same time at every sample, and nothing of the readings may be stored. Several classes share the features.",
    },
    oskm: {
      idea: "Agents learn from delayed windows of the latest samples, and are drawn towards agreement at common points by alternating directions.",
      equation: [
        "minimise sum_j [1/c sum_m max(0, 1 - y_m f_j(x_m)) + lambda/2 |f_j|^2]  under  f_j(z_i) / s_j = v_i   (7)",
        "v_i <- mean_j (P_ji + u_ji)   (13);   u_ji <- u_ji + P_ji - v_i   (12c)",
      ],
      use: "To compare with the paper. It takes the most instructions of all; a NORMA with chosen options was better nearly everywhere.",
    },
    "dual-rho": {
      idea: "Ascent of the support vector machine's dual with a fixed step; one variable shrinks all old coefficients.",
      equation: [
        "ga = C max(0, 1 - m);   ge = max(0, W - C S)   (13)",
        "alpha = min(1, rho ga);   eta = min(1, rho ge);   c <- (1 - eta) c, append C alpha y   (9), (11)",
      ],
      use: 'You want forgetting that follows from the objective. `step: "safe"` bounds the step where rho is too long.',
    },
    "dual-aga": {
      idea: "The same ascent with the step that reaches the maximum along the gradient.",
      equation: [
        "alpha = min(1, s ga);   eta = min(1, s ge);   s = min(rho_max, rho_star)",
        "rho_star = (ga^2 + ge^2) / (C^2 k ga^2 - 2 C m ga ge + W ge^2)",
      ],
      use: "As `dual-rho`, without a step to choose.",
    },
    "dual-greedy": {
      idea: "The same ascent with the exact maximum over both variables at each sample.",
      equation: [
        "[C^2 k, C m; C m, W] [alpha; 1 - eta] = [C; C S], if inside the unit square,",
        "else the best of the maxima of its four edges",
      ],
      use: "As `dual-aga`, where forgetting matters: it chooses how much to forget exactly.",
    },
  },
  "Linear learners, and locally linear ones": {
    lol: {
      idea: "Prototypes cut the input space into cells; each cell has a hyperplane of its own, and all share one.",
      equation: [
        "e = min(C, l / ((1 + 1/lambda) |x|^2))   (19)",
        "w <- w + (e / lambda) y x;   u_i <- u_i + e y x   (14), (15), (18);   p_i <- p_i + (x - p_i) / n_i   (20)",
      ],
      use: "The boundary is curved and bytes are scarce: it takes fewer than kernel learners. Several classes share the prototypes.",
    },
    "i-lol": {
      idea: "LOL without the shared hyperplane: each cell learns alone.",
      equation: ["e = min(C, l / |x|^2);   u_i <- u_i + e y x"],
      use: "The cells have nothing in common. Otherwise LOL learns from fewer samples.",
    },
    pa: {
      idea: "The least change of the weights that meets the new label with margin 1, bounded by C.",
      equation: ["l = max(0, 1 - y w.x);   w <- w + min(C, l / |x|^2) y x"],
      use: "The least bytes and instructions. The boundary is a plane, and most labels are right.",
    },
    perceptron: {
      idea: "A step towards each sample that was classified wrongly; steps fade if you ask for that.",
      equation: ["if y f(x) <= 0: w <- w + eta_t y x,   b <- b + eta_t y,   eta_t = eta exp(-t / T)"],
      use: "As a baseline.",
    },
    pegasos: {
      idea: "A linear support vector machine by stochastic gradient with step 1 / (lambda t).",
      equation: [
        "w <- (1 - 1/t) w + y x / (lambda t) if y w.x < 1, else (1 - 1/t) w",
        "w <- w min(1, 1 / (sqrt(lambda) |w|)), if `project`",
      ],
      use: "The classes don't change. It averages over all samples, so it follows a change ever more slowly.",
    },
    cw: {
      idea: "A belief N(w, Sigma) over the weights; each sample is to be classified right with probability eta.",
      equation: [
        "alpha = (-m psi + sqrt(m^2 phi^4 / 4 + v phi^2 zeta)) / (v zeta), if phi sqrt(v) > m",
        "w <- w + alpha y Sigma x;   Sigma <- Sigma - beta (Sigma x)(Sigma x)'",
      ],
      use: "Labels are right, and features differ in scale or are rare. With wrong labels take SCW or AROW.",
    },
    "cw-var": {
      idea: "The first form of confidence-weighted learning, with the variance in place of the deviation.",
      equation: [
        "p = 1 + 2 phi m;   alpha = max(0, (-p + sqrt(p^2 - 8 phi (m - phi v))) / (4 phi v))",
        "beta = 2 alpha phi / (1 + 2 alpha phi v)",
      ],
      use: "To compare with its paper. `cw` is exact.",
    },
    "scw-1": {
      idea: "Confidence-weighted learning with a linear slack: C bounds a step.",
      equation: ["alpha <- min(alpha of cw, C)   (Proposition 1)"],
      use: "As `cw`, with some wrong labels.",
    },
    "scw-2": {
      idea: "Confidence-weighted learning with a squared slack.",
      equation: [
        "n = v + 1/(2C);   g = phi sqrt(phi^2 m^2 v^2 + 4 n v (n + v phi^2))",
        "alpha = max(0, (-(2 m n + phi^2 m v) + g) / (2 (n^2 + n v phi^2)))",
      ],
      use: "As `scw-1`; the larger the loss, the larger the step.",
    },
    arow: {
      idea: "A belief over the weights that grows surer with each sample within the margin, whether the label was met or not.",
      equation: [
        "if m < 1: beta = 1 / (v + r);   alpha = (1 - m) beta   (Figure 1)",
        "w <- w + alpha y Sigma x;   Sigma <- Sigma - beta (Sigma x)(Sigma x)'",
      ],
      use: "The first linear learner to try, with wrong labels above all. `forgetting` lets it follow what changes; with `sources` it corrects for known rates of wrong labels.",
    },
    "rls-hmm": {
      idea: "A hidden Markov model smooths the labels of a window; recursive least squares learns the smoothed labels.",
      equation: [
        "o_t = q_t (1 - pi) / ((1 - q_t) pi);   s_t = (o_t - 1) / (o_t + 1)",
        "w <- w + g (s - f - g.q) / (R_t + v) + P q;   P <- P - g g' / (R_t + v)",
      ],
      use: "Classes persist for many samples, and many labels are wrong at unknown rates.",
    },
  },
  Regression: {
    qkrls: {
      idea: "Regularised least squares over a codebook: an input near a centre updates that centre's mean in place of becoming one.",
      equation: ["a = (Lambda K + gamma I)^-1 ybar   (10), carried as a factor of K + gamma Lambda^-1"],
      use: "Accuracy matters more than bytes: it solves the least squares problem, and takes the square of the number of centres in both bytes and instructions.",
    },
    qklms: {
      idea: "Least mean squares in the kernel's space; an input near a centre changes that centre's coefficient.",
      equation: [
        "dist = min_j |x - c_j|   (Table I)",
        "e = y - f(x);   a_j <- a_j + eta e if dist <= epsilon, else append eta e",
      ],
      use: "Regression in few instructions. It converges more slowly than QKRLS.",
    },
    qkapa: {
      idea: "Affine projection: each label takes a step on the window of the latest pairs.",
      equation: [
        "e_i = y_i - f(c_q(i)) over the latest W pairs",
        "a_q(i) <- a_q(i) + eta e_i, or + eta [(G + regularization I)^-1 e]_i",
      ],
      use: "Between QKLMS and QKRLS in accuracy where inputs are correlated; each label takes W kernel rows.",
    },
    "krls-ald": {
      idea: "Recursive least squares over a dictionary of vectors that the others don't nearly span.",
      equation: [
        "delta = k(x, x) - h.K^-1 h",
        "delta > nu: store x;   else P <- P - P u u' P / (1 + u.P u),   a <- a + K^-1 P u e / (1 + u.P u)",
      ],
      use: "The function is smooth, and every sample should count, those that aren't stored included.",
    },
    "krls-novelty": {
      idea: "Least squares over the samples that are far from all centres and badly predicted.",
      equation: [
        "store x if min_j |x - c_j| > delta_1 and |y - f(x)| > delta_2",
        "a <- [a - z e / r; e / r],   z = (K + reg I)^-1 h,   r = reg + k(x, x) - h.z",
      ],
      use: "The noise is small beside delta_2. Samples that aren't stored teach nothing.",
    },
    "krls-surprise": {
      idea: "Least squares over the samples that are neither redundant nor abnormal.",
      equation: ["S = 1/2 ln r + e^2 / (2 r);   store x if T_2 <= S <= T_1"],
      use: "Outliers must not be stored: they are abnormal.",
    },
    "krls-ald-discard": {
      idea: "Least squares over the samples that the others don't nearly span; the rest is discarded.",
      equation: ["store x if r = reg + k(x, x) - h.(K + reg I)^-1 h > nu"],
      use: "To compare with the QKRLS paper. `krls-ald` learns from the other samples, too.",
    },
    "olk-r": {
      idea: "OLK with the loss that ignores errors up to epsilon.",
      equation: [
        "alpha = clip(((1+r)(y - epsilon) - f(x)) / k, 0, C);   alpha~ = clip((f(x) - (1+r)(y + epsilon)) / k, 0, C)   (52)",
        "a_i <- a_i / (1+r);   append (alpha - alpha~) / (1+r)   (42)",
      ],
      use: "Targets have outliers: C bounds a step. The function drifts: old coefficients shrink.",
    },
    "norma-r": {
      idea: "Stochastic gradient descent on the regularised loss that ignores errors up to epsilon.",
      equation: [
        "e = y - f(x);   a_i <- (1 - eta lambda) a_i;   append eta sign(e) if |e| > epsilon",
        "epsilon <- epsilon + eta (1 - nu) if |e| > epsilon, else epsilon - eta nu   (if nu > 0)",
      ],
      use: "The tube should find its own width (nu): a share nu of the samples lies outside.",
    },
    "kernel-perceptron-r": {
      idea: "It stores a sample with a fixed step if the error is larger than epsilon.",
      equation: ["e = y - f(x);   append eta sign(e) if |e| > epsilon"],
      use: "As a baseline.",
    },
  },
  Novelty: {
    "olk-n": {
      idea: "It learns where samples are usual, by a bounded step at each; the score is low where none were.",
      equation: [
        "alpha = clip((1 + r - f(x)) / k, nu, C);   a_i <- a_i / (1+r);   append alpha / (1+r)   (55), (67)",
        "score = f(x) - 1 - rho   (69)",
      ],
      use: "Labels are rare or none, and events are of an unknown kind. Few normal samples are taken for novel.",
    },
    "norma-n": {
      idea: "A level moves so that a share nu of the samples lies below it.",
      equation: ["s = [f(x) < rho];   a_i <- (1 - eta) a_i;   append eta if s;   rho <- rho + eta (nu - s)"],
      use: "You know which share of samples is to be reported. Until its level has settled it reports none, as in the picture.",
    },
  },
};
