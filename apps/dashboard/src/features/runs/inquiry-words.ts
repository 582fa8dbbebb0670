import type { RunStepDetail, UndecidedReason } from '@gatehouse/contract'
import { locale } from '../../lib/format/language.ts'

type Inquiry = NonNullable<RunStepDetail['inquiry']>

const timeFormat = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment of today as its time, another one with its day; in the reader's time zone, rounded up. */
function timeWords(at: string, now = new Date()): string {
  const moment = new Date(Math.ceil(Date.parse(at) / 1000) * 1000)
  const isToday = moment.toDateString() === now.toDateString()
  return (isToday ? timeFormat : dayFormat).format(moment)
}

const reasons: Readonly<Record<UndecidedReason, string>> = {
  under_way: 'An attempt of this step is still under way.',
  too_early: 'Asked too early: the endpoint may still be working on it.',
  too_soon: 'Asked again too soon: two answers have to lie some time apart.',
  said_once: 'The endpoint says no. It has to say so once more.',
  unclear: 'The endpoint was asked: its answer decides nothing.',
  still_pending: 'The authority has it and has not decided yet.',
}

/** Why an answer settles nothing, and when to ask again. */
export function undecidedWords(because: UndecidedReason, askAgainAfter: string | null): string {
  const when = askAgainAfter === null ? '' : ` Ask again after ${timeWords(askAgainAfter)}.`
  return `${reasons[because]}${when}`
}

/** The state of the status query, for users who may ask. */
export function inquiryWords(inquiry: Inquiry, now = new Date()): string {
  const { negatives, negatives_needed, ask_again_after, quiet_seconds } = inquiry
  const isWaiting = ask_again_after !== null && Date.parse(ask_again_after) > now.getTime()
  const when = isWaiting ? timeWords(ask_again_after, now) : ''
  if (negatives > 0) {
    const said = `It has said “not received” ${negatives} of ${negatives_needed} times.`
    return isWaiting ? `${said} Ask again after ${when}.` : `${said} It can be asked again now.`
  }
  return isWaiting
    ? `The endpoint may still be working on it (quiet period ${quiet_seconds} s). “Received” counts at once; ask for “not received” after ${when}.`
    : `“Received” counts at once; “not received” has to be said ${negatives_needed} times.`
}

/** What is done about the step without a person, and when. */
export function healingWords(healing: NonNullable<RunStepDetail['healing']>, now = new Date()) {
  const { plan, tries, next_at } = healing
  if (plan === 'given_up')
    return tries === 1
      ? 'Healing has given up after one try: a person decides.'
      : `Healing has given up after ${tries} tries: a person decides.`
  if (plan === 'off' || plan === 'no_way') return 'Healing can do nothing here: a person decides.'
  const when = next_at === null ? '' : timeWords(next_at, now)
  if (plan === 'ask') {
    if (tries === 0) return `Gatehouse asks by itself, first at ${when}.`
    return tries === 1
      ? `Gatehouse asks by itself: once so far, next at ${when}.`
      : `Gatehouse asks by itself: ${tries} times so far, next at ${when}.`
  }
  if (tries === 0) return `Gatehouse repeats the same bytes by itself, first at ${when}.`
  return tries === 1
    ? `Gatehouse repeats the same bytes by itself: once so far, next at ${when}.`
    : `Gatehouse repeats the same bytes by itself: ${tries} times so far, next at ${when}.`
}
