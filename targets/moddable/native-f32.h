/*
 * Generated from primitives.ts and f32.c by `npm run build:wasm`. Don't edit.
 *
 * The primitives as XS calls them: NATIVE(name, number of arguments, C expression that gives the result). M is the memory,
 * W(i) the argument i as a whole number, R(i) as a real one. One line a primitive; native-f32.ts declares the same ones.
 */
#ifndef MOTELEARN_NATIVE_F32_H
#define MOTELEARN_NATIVE_F32_H

#define F32_NATIVES(NATIVE) \
	NATIVE(load, 3, giveBoolean(the, load(the))) \
	NATIVE(gaussianExpansion, 9, giveNumber(the, gaussianExpansion(the))) \
	NATIVE(stepExpansion, 10, f32_step_expansion(M, W(0), W(1), W(2), R(3), W(4), R(5), W(6), R(7), W(8), R(9))) \
	NATIVE(localDecision, 6, giveNumber(the, localDecision(the))) \
	NATIVE(localStep, 9, giveInteger(the, f32_local_step(M, W(0), W(1), W(2), W(3), W(4), R(5), R(6), R(7), W(8)))) \
	NATIVE(crc32, 4, giveNumber(the, crc32(the))) \
	NATIVE(finite, 2, giveBoolean(the, f32_finite(M, W(0), W(1)))) \
	NATIVE(dot, 3, giveNumber(the, f32_dot(M, W(0), W(1), W(2)))) \
	NATIVE(addScaled, 4, giveBoolean(the, f32_add_scaled(M, W(0), R(1), W(2), W(3)))) \
	NATIVE(scale, 3, f32_scale(M, W(0), R(1), W(2))) \
	NATIVE(copy, 3, f32_copy(M, W(0), W(1), W(2))) \
	NATIVE(argmin, 2, giveInteger(the, f32_argmin(M, W(0), W(1)))) \
	NATIVE(argminMagnitude, 2, giveInteger(the, f32_argmin_magnitude(M, W(0), W(1)))) \
	NATIVE(oldest, 3, giveInteger(the, f32_oldest(M, W(0), (uint32_t)W(1), W(2)))) \
	NATIVE(stalest, 5, giveInteger(the, f32_stalest(M, W(0), W(1), (uint32_t)W(2), (uint32_t)W(3), W(4)))) \
	NATIVE(storeRow, 4, f32_store_row(M, W(0), W(1), W(2), W(3))) \
	NATIVE(fetchRow, 4, f32_fetch_row(M, W(0), W(1), W(2), W(3))) \
	NATIVE(storeColumn, 5, f32_store_column(M, W(0), W(1), W(2), W(3), W(4))) \
	NATIVE(addScaledRow, 5, giveBoolean(the, f32_add_scaled_row(M, W(0), W(1), R(2), W(3), W(4)))) \
	NATIVE(moveRowTowards, 5, giveBoolean(the, f32_move_row_towards(M, W(0), W(1), R(2), W(3), W(4)))) \
	NATIVE(innerProducts, 5, f32_inner_products(M, W(0), W(1), W(2), W(3), W(4))) \
	NATIVE(blockProducts, 8, f32_block_products(M, W(0), W(1), W(2), W(3), W(4), W(5), W(6), W(7))) \
	NATIVE(squaredDistances, 5, f32_squared_distances(M, W(0), W(1), W(2), W(3), W(4))) \
	NATIVE(gaussianRow, 6, f32_gaussian_row(M, W(0), W(1), W(2), W(3), W(4), R(5))) \
	NATIVE(polynomialRow, 7, f32_polynomial_row(M, W(0), W(1), W(2), W(3), W(4), R(5), W(6))) \
	NATIVE(insertVector, 5, f32_insert_vector(M, W(0), W(1), W(2), W(3), R(4))) \
	NATIVE(removeVector, 4, f32_remove_vector(M, W(0), W(1), W(2), W(3))) \
	NATIVE(removeVectorInOrder, 4, f32_remove_vector_in_order(M, W(0), W(1), W(2), W(3))) \
	NATIVE(nearestRow, 5, giveInteger(the, f32_nearest_row(M, W(0), W(1), W(2), W(3), W(4)))) \
	NATIVE(nearestBytes, 6, giveInteger(the, f32_nearest_bytes(M, W(0), W(1), W(2), W(3), W(4), W(5)))) \
	NATIVE(hingeStep, 8, f32_hinge_step(M, W(0), W(1), W(2), W(3), W(4), W(5), R(6), R(7))) \
	NATIVE(agreementStep, 8, f32_agreement_step(M, W(0), W(1), W(2), W(3), W(4), W(5), W(6), R(7))) \
	NATIVE(agree, 6, f32_agree(M, W(0), W(1), W(2), W(3), W(4), W(5))) \
	NATIVE(aggressiveness, 4, giveNumber(the, f32_aggressiveness(M, W(0), R(1), R(2), W(3)))) \
	NATIVE(windowStatistics, 5, giveBoolean(the, f32_window_statistics(M, W(0), W(1), W(2), W(3), W(4)))) \
	NATIVE(standardise, 5, giveBoolean(the, f32_standardise(M, W(0), W(1), W(2), W(3), W(4)))) \
	NATIVE(centre, 3, giveBoolean(the, f32_centre(M, W(0), W(1), W(2)))) \
	NATIVE(taper, 2, f32_taper(M, W(0), W(1))) \
	NATIVE(fourierTransform, 2, f32_fourier_transform(M, W(0), W(1))) \
	NATIVE(goertzel, 3, giveNumber(the, f32_goertzel(M, W(0), W(1), R(2)))) \
	NATIVE(symmetricProduct, 4, f32_symmetric_product(M, W(0), W(1), W(2), W(3))) \
	NATIVE(symmetricRankOne, 4, giveBoolean(the, f32_symmetric_rank_one(M, W(0), R(1), W(2), W(3)))) \
	NATIVE(cholesky, 2, giveBoolean(the, f32_cholesky(M, W(0), W(1)))) \
	NATIVE(solveLower, 3, f32_solve_lower(M, W(0), W(1), W(2))) \
	NATIVE(solveLowerTransposed, 3, f32_solve_lower_transposed(M, W(0), W(1), W(2))) \
	NATIVE(deleteFactorRow, 5, f32_delete_factor_row(M, W(0), W(1), W(2), W(3), W(4))) \
	NATIVE(solveUnitLower, 5, f32_solve_unit_lower(M, W(0), W(1), W(2), W(3), W(4))) \
	NATIVE(solveUnitLowerTransposed, 5, f32_solve_unit_lower_transposed(M, W(0), W(1), W(2), W(3), W(4))) \
	NATIVE(pivotProduct, 4, f32_pivot_product(M, W(0), W(1), W(2), W(3))) \
	NATIVE(deleteUnitFactorRow, 5, giveNumber(the, f32_delete_unit_factor_row(M, W(0), W(1), W(2), W(3), W(4)))) \
	NATIVE(diagonalProduct, 4, f32_diagonal_product(M, W(0), W(1), W(2), W(3))) \
	NATIVE(diagonalRankOne, 4, giveBoolean(the, f32_diagonal_rank_one(M, W(0), R(1), W(2), W(3)))) \
	NATIVE(mergeNearest, 8, giveInteger(the, f32_merge_nearest(M, W(0), W(1), W(2), W(3), W(4), W(5), R(6), R(7)))) \
	NATIVE(fourierFeatures, 5, f32_fourier_features(M, W(0), W(1), W(2), W(3), W(4))) \
	NATIVE(classScores, 6, giveNumber(the, f32_class_scores(M, W(0), W(1), W(2), W(3), W(4), R(5)))) \
	NATIVE(classStep, 16, f32_class_step(M, W(0), W(1), W(2), W(3), W(4), W(5), R(6), R(7), R(8), R(9), R(10), R(11), W(12), W(13), R(14), W(15))) \
	NATIVE(exp, 1, giveNumber(the, f32_exp(R(0)))) \
	NATIVE(log, 1, giveNumber(the, f32_log(R(0)))) \
	NATIVE(cos, 1, giveNumber(the, f32_cos(R(0)))) \
	NATIVE(sin, 1, giveNumber(the, f32_sin(R(0))))

/* Each makes a function of a whole call: see `bindExpansion` of primitives.ts. */
#define F32_BIND(NATIVE) \
	NATIVE(bindExpansion, 1, bindCall(the, boundExpansion, 1)) \
	NATIVE(bindExpansionStep, 1, bindCall(the, boundExpansionStep, 2)) \
	NATIVE(bindLocal, 1, bindCall(the, boundLocal, 1)) \
	NATIVE(bindLocalStep, 1, bindCall(the, boundLocalStep, 2)) \
	NATIVE(bindClasses, 1, bindCall(the, boundClasses, 1)) \
	NATIVE(bindClassStep, 1, bindCall(the, boundClassStep, 2))

/* The self-test's calls of them: see `testBatch` of primitives.ts. */
#define F32_TESTS(NATIVE) NATIVE(testBatch, 3, testBatch(the))

#endif
