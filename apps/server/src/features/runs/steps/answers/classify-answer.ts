import type {
  AnswerRule,
  DecidedBy,
  Effect,
  ErrorCode,
  Outcome,
  RunSettings,
  StepState,
} from '@gatehouse/contract'
import {
  matchesRule,
  namesAlone,
  namesStatus,
  textAt,
  type RuleVerdict,
} from '@gatehouse/contract/answer-rule'
import {
  isSignInRefused,
  noCredential,
  type Credential,
  type HttpAnswer,
} from '@gatehouse/upstream'
import type { ExactJson } from '@gatehouse/contract/mapping'
import { readBody } from '../../answers/read-body.ts'

export { effectOf } from '@gatehouse/contract'
export { readBody }

/** The outcome of an attempt, for the ledger and for the caller. */
export interface Classified {
  outcome: Outcome
  state: StepState
  /** Undefined when the step succeeded. */
  errorCode?: ErrorCode
  /** Where it is pending: what the status query asks by; undefined: the document's reference. */
  askBy?: string
}

/** A classified answer, and what of the settings or of HTTP decided. */
type Decided = Classified & { by: DecidedBy }

export type ClassifyingRules = Pick<
  RunSettings,
  'success_rule' | 'rejection_rule' | 'duplicate_rule' | 'pending'
>

interface Classifying {
  effect: Effect
  /** The same bytes were sent before, so a duplicate answer is about our own document. */
  isResend?: boolean
  /**
   * An earlier attempt may have been received. Only a success or a duplicate answer settles that
   * now. True for a resend, unless a person or a status query has said since that nothing was
   * received.
   */
  mayHaveArrived?: boolean
  /** The endpoint's run settings. Without them 208 is a duplicate and any other 2xx a success. */
  rules?: ClassifyingRules
  /** How the call signed in; its rule may name further answers that refuse the sign-in. */
  credential?: Credential
  /** Where the answer refuses the sign-in: no other token can be had now, which passes by itself. */
  isSignInAway?: boolean
}

interface Case {
  effect: Effect
  isResend: boolean
  rules: ClassifyingRules
  /** The state after an uncertain attempt: not started where a repetition does no harm. */
  uncertain: StepState
}

const noRules: ClassifyingRules = {
  success_rule: null,
  rejection_rule: null,
  duplicate_rule: null,
  pending: null,
}

/**
 * Classifies the answer to one attempt (docs/runs.md). The rule: a submit that may have been
 * received is `unknown`, never "failed". Where nothing can have been received, or a repetition does
 * no harm, the step counts as not started.
 */
export function classifyAnswer(answer: HttpAnswer, how: Classifying): Classified {
  const { by: _, ...classified } = decideAnswer(answer, how)
  return classified
}

/** The same, with what decided: for a person who tries rules. */
export function decideAnswer(answer: HttpAnswer, how: Classifying): Decided {
  const { effect, isResend = false, mayHaveArrived = isResend, rules = noRules } = how
  const uncertain = effect === 'submit' ? 'unknown' : 'waiting'
  const { credential = noCredential, isSignInAway = false } = how
  const classified = isSignInRefused(answer, credential)
    ? isSignInAway
      ? signInAway
      : signInRefused
    : classifySeen(answer, { effect, isResend, rules, uncertain })
  // A refusal of a resend is about the repetition: an earlier attempt may have stored the document.
  // No rule of an endpoint changes that.
  return effect === 'submit' && mayHaveArrived && !isTaken(classified)
    ? { ...classified, state: 'unknown', by: 'earlier_attempt' }
    : classified
}

const isTaken = ({ state }: Classified) => state === 'succeeded' || state === 'pending'

function classifySeen(answer: HttpAnswer, each: Case): Decided {
  if (answer.ok) {
    const body = readsBody(each.rules) ? readBody(answer.body) : undefined
    return classifyStatus(answer.status, body, each)
  }
  const errorCode = `upstream.${answer.code === 'aborted' ? 'cut' : answer.code}` as const
  if (!answer.isSent)
    return answer.isSignInRefused
      ? { outcome: 'not_sent', state: 'blocked', errorCode, by: 'sign_in' }
      : { outcome: 'not_sent', state: 'waiting', errorCode, by: 'no_answer' }
  // The status of a refusal is enough, even if its body did not arrive whole.
  if (answer.status !== undefined && answer.status >= 400)
    return classifyStatus(answer.status, undefined, each)
  return {
    outcome: answer.code === 'timeout' ? 'timeout' : 'cut',
    state: each.uncertain,
    errorCode,
    by: 'no_answer',
  }
}

function classifyStatus(status: number, body: ExactJson | undefined, each: Case): Decided {
  const errorCode = 'upstream.status'
  const by = 'status'
  if (status === 401 || status === 403 || status === 407) return signInRefused
  if (status === 408)
    return { outcome: 'timeout', state: each.uncertain, errorCode: 'upstream.timeout', by }
  if (status === 429) return { outcome: 'throttled', state: 'waiting', errorCode, by }
  if (status >= 500) return { outcome: 'server_error', state: each.uncertain, errorCode, by }
  const verdict = (rule: AnswerRule | null) =>
    rule ? matchesRule(rule, { status, body }) : 'fails'
  if (status >= 400) return classifyRefusal(status, verdict(each.rules.duplicate_rule), each)
  if (status >= 300) return classifyRedirect(status, verdict(each.rules.rejection_rule), each)
  return classifySuccess(status, body, verdict, each)
}

/** A 2xx, whose body may say otherwise. */
function classifySuccess(
  status: number,
  body: ExactJson | undefined,
  verdict: (rule: AnswerRule | null) => RuleVerdict,
  each: Case,
): Decided {
  const { success_rule, rejection_rule, duplicate_rule } = each.rules
  const isDuplicate = verdict(duplicate_rule)
  if (isDuplicate === 'holds') return duplicate(each, 'duplicate_rule')
  // What only reads has nothing to decide.
  const isPending = verdict(each.effect === 'read' ? null : (each.rules.pending?.rule ?? null))
  const isRejected = verdict(rejection_rule)
  const isSuccess = success_rule ? verdict(success_rule) : status === 208 ? 'fails' : 'holds'
  if ([isDuplicate, isRejected, isSuccess, isPending].includes('unreadable'))
    return unreadable(each, 'unreadable_body')
  if (isPending === 'holds')
    return isRejected === 'holds' ? unreadable(each, 'contradiction') : pending(body, each)
  if (isRejected === 'holds') return rejected('rejection_rule')
  if (isSuccess === 'holds')
    return { outcome: 'ok', state: 'succeeded', by: success_rule ? 'success_rule' : 'status' }
  if (status === 208 && !success_rule) return duplicate(each, 'status')
  // The settings know it neither as a success nor as a refusal: the outcome is uncertain.
  return rejection_rule ? unreadable(each, 'no_rule') : rejected('no_rule')
}

/** 400 to 499, except those that say nothing about the document. */
function classifyRefusal(status: number, isDuplicate: RuleVerdict, each: Case): Decided {
  const { duplicate_rule } = each.rules
  if (isDuplicate === 'holds') return duplicate(each, 'duplicate_rule')
  const isNamed = duplicate_rule !== null && namesStatus(duplicate_rule, status)
  return isDuplicate === 'unreadable' && isNamed
    ? unreadable(each, 'unreadable_body')
    : rejected('status')
}

function classifyRedirect(status: number, isRejected: RuleVerdict, each: Case): Decided {
  const errorCode = 'upstream.redirect'
  const { rejection_rule } = each.rules
  const isNamed = rejection_rule !== null && namesStatus(rejection_rule, status)
  // 307 and 308 ask to send the request elsewhere; the others may be sent after the request was
  // executed.
  // A status that the rule names alone needs no body: some authorities send none.
  const isBare =
    isRejected === 'unreadable' && rejection_rule !== null && namesAlone(rejection_rule, status)
  const isRuled = isNamed && (isRejected === 'holds' || isBare)
  if (status === 307 || status === 308 || isRuled)
    return { ...rejected(isRuled ? 'rejection_rule' : 'status'), errorCode }
  return {
    outcome: 'server_error',
    state: each.uncertain === 'unknown' ? 'unknown' : 'rejected',
    errorCode,
    by: 'status',
  }
}

const signInRefused: Decided = {
  outcome: 'auth',
  state: 'blocked',
  errorCode: 'upstream.status',
  by: 'sign_in',
}

/** What the call showed was refused, so nothing was done; what it is to show next comes later. */
const signInAway: Decided = {
  outcome: 'auth',
  state: 'waiting',
  errorCode: 'upstream.sign_in',
  by: 'sign_in',
}

const rejected = (by: DecidedBy): Decided => ({
  outcome: 'rejected',
  state: 'rejected',
  errorCode: 'upstream.status',
  by,
})

const duplicate = ({ isResend }: Case, by: DecidedBy): Decided =>
  isResend
    ? { outcome: 'ok_duplicate', state: 'succeeded', by }
    : { outcome: 'duplicate', state: 'blocked', errorCode: 'upstream.status', by }

/** Taken, decided later. Without the value to ask by, nobody could ask for the decision. */
function pending(body: ExactJson | undefined, each: Case): Decided {
  const path = each.rules.pending?.parameter_path ?? ''
  const askBy = textAt(body, path)
  if (path !== '' && askBy === undefined) return unreadable(each, 'nothing_to_ask_by')
  const taken = { outcome: 'pending', state: 'pending', by: 'pending_rule' } as const
  return askBy === undefined ? taken : { ...taken, askBy }
}

const unreadable = ({ uncertain }: Case, by: DecidedBy): Decided => ({
  outcome: 'cut',
  state: uncertain,
  errorCode: 'upstream.unreadable',
  by,
})

const readsBody = ({ success_rule, rejection_rule, duplicate_rule, pending }: ClassifyingRules) =>
  pending !== null ||
  [success_rule, rejection_rule, duplicate_rule].some((rule) => rule && rule.conditions.length > 0)

/** The outcome of an attempt during which our own process died. */
export function classifyCrash(effect: Effect): Classified {
  return { outcome: 'crash', state: effect === 'submit' ? 'unknown' : 'waiting' }
}

/**
 * Whether the same bytes may be sent again now without a second effect. The endpoint declares it,
 * and for how many minutes after the first attempt.
 */
export function isDuplicateSafe(
  settings: Pick<RunSettings, 'is_duplicate_safe' | 'duplicate_safe_minutes'>,
  firstSentAt: string,
  now: Date,
): boolean {
  if (!settings.is_duplicate_safe) return false
  if (settings.duplicate_safe_minutes === null) return true
  return now.getTime() - Date.parse(firstSentAt) < settings.duplicate_safe_minutes * 60_000
}
