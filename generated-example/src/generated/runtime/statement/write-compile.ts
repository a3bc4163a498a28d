import type { Statement } from '../session/statement.js';
import type { CompileContext } from './compile.js';
import { compileCall, compileCallAnswer } from './postgres/write-call.js';
import { compileReadBack, compileWrite } from './postgres/write.js';
import type { CallPlan, ReadBackPlan, WritePlan } from './write-plan.js';

/** Write plan → one statement, as compilePlan does for reads. Pure. */
export const compileWriteStatement = (plan: WritePlan, { registry }: CompileContext): Statement =>
  compileWrite(plan, registry);

export const compileReadBackStatement = (plan: ReadBackPlan, { registry }: CompileContext): Statement =>
  compileReadBack(plan, registry);

export const compileCallStatement = (plan: CallPlan, { registry }: CompileContext): Statement =>
  compileCall(plan, registry);

/** Undefined where the call answers its text itself, or nothing. */
export const compileCallAnswerStatement = (plan: CallPlan, { registry }: CompileContext): Statement | undefined =>
  compileCallAnswer(plan, registry);
