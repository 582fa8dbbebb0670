import type { DecidedBy, JudgedAnswer, JudgingRule } from '@gatehouse/contract'

interface Verdict {
  words: string
  color: 'green' | 'yellow' | 'red' | 'blue' | 'gray'
}

/** What a run would make of an answer, in one word. */
export function verdictOf({ state, outcome }: Pick<JudgedAnswer, 'state' | 'outcome'>): Verdict {
  if (state === 'succeeded')
    return outcome === 'ok_duplicate'
      ? { words: 'Accepted before', color: 'green' }
      : { words: 'Accepted', color: 'green' }
  if (state === 'pending') return { words: 'Pending', color: 'blue' }
  if (state === 'partial') return { words: 'Partly accepted', color: 'yellow' }
  if (state === 'unknown') return { words: 'Unknown', color: 'yellow' }
  if (state === 'rejected') return { words: 'Rejected', color: 'red' }
  if (outcome === 'duplicate') return { words: 'Duplicate', color: 'yellow' }
  if (outcome === 'auth') return { words: 'Credentials refused', color: 'red' }
  if (outcome === 'throttled') return { words: 'Asks to wait', color: 'gray' }
  return { words: 'Not confirmed', color: 'gray' }
}

export const ruleNames: Record<JudgingRule, string> = {
  duplicate_rule: 'Duplicate rule',
  pending_rule: 'Taken, decided later',
  rejection_rule: 'Rejection rule',
  success_rule: 'Success rule',
}

export const decidedWords: Record<DecidedBy, string> = {
  duplicate_rule: 'The duplicate rule fits.',
  pending_rule: 'The rule for “taken, decided later” fits.',
  rejection_rule: 'The rejection rule fits.',
  success_rule: 'The success rule fits.',
  status: 'The status decides.',
  sign_in: 'The answer refuses the sign-in, so that no rule is applied.',
  no_rule: 'No rule fits.',
  contradiction: 'The rejection rule and the rule for “taken, decided later” both fit.',
  unreadable_body: 'A rule has to read the body, which is neither JSON nor XML that can be read.',
  nothing_to_ask_by: 'It is taken, but it has no value that the status query could ask by.',
  earlier_attempt: 'It refuses the repetition. An earlier attempt may have been received.',
  no_answer: 'No answer came.',
}
