import {
  effectOf,
  judgingRules,
  wireMethods,
  type HandlerInput,
  type JudgedAnswer,
  type JudgedRule,
  type JudgingRule,
  type judgeAnswer,
} from '@gatehouse/contract'
import {
  conditionHolds,
  fitsStatus,
  matchesRule,
  textAt,
  valuesAt,
  type AnswerRule,
  type AnswerSeen,
} from '@gatehouse/contract/answer-rule'
import { looksLikeXml } from '@gatehouse/contract/answer-tree'
import { stringifyExact, type ExactJson } from '@gatehouse/contract/mapping'
import type { Credential, HttpAnswered } from '@gatehouse/upstream'
import { seeAnswer } from '../ledger/finish-step.ts'
import { decideAnswer } from '../steps/answers/classify-answer.ts'
import { referenceOf } from '../steps/documents/judge-documents.ts'
import { listAt } from '../answers/list-at.ts'
import { readBody } from '../answers/read-body.ts'

type Judging = HandlerInput<typeof judgeAnswer>['body']
type Settings = Judging['run_settings']

const shownValues = 5
const shownCharacters = 200
const shownDocuments = 100

/**
 * Judges an answer with the functions that judge it in a run, and says which rule and condition decided.
 * Where a request carries several documents, those count that the answer names: what was sent is not
 * known here.
 */
export function judgeOnBench(judging: Judging, credential: Credential, now: Date): JudgedAnswer {
  const { run_settings: settings, is_resend: isResend, status } = judging
  const answer = toAnswer(judging)
  const body = readBody(answer.body)
  const effect = effectOf(settings, wireMethods[judging.method_type])
  const how = { effect, isResend, mayHaveArrived: isResend, credential }
  const { by, askBy } = decideAnswer(answer, { ...how, rules: settings })
  const references = namedDocuments(body, settings)
  const step = { ...how, references, plan: { effect, credential, target: { settings } } }
  const seen = seeAnswer({ step }, { answer, shown: answer }, now)
  const { state, outcome, documents } = seen.classified
  const isTaken = state === 'succeeded' || state === 'partial'
  const at = (path: string) => (isTaken ? (textAt(body, path) ?? null) : null)
  return {
    state,
    outcome,
    decided_by: by,
    message: seen.message,
    format: formatOf(judging.body, body),
    rules: judgingRules.flatMap((name) => judgedRule(name, settings, { status, body })),
    found: {
      authority_reference: at(settings.authority_reference_path),
      qr: at(settings.qr_path),
      ask_by: askBy ?? null,
      wait_until: seen.notBefore,
    },
    documents: [...(documents ?? [])].slice(0, shownDocuments).map(([reference, verdict]) => ({
      reference,
      state: verdict.state,
      authority_reference: verdict.authorityReference ?? null,
      message: verdict.message ?? null,
    })),
  }
}

function toAnswer({ status, headers, body }: Judging): HttpAnswered {
  const lines = headers.split('\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1)]]
  })
  const named = Object.fromEntries(lines.map(([name = '', value = '']) => [name, value.trim()]))
  return { ok: true, status, headers: named, body: Buffer.from(body), durationMs: 0 }
}

function namedDocuments(body: ExactJson | undefined, { documents }: Settings): string[] {
  if (!documents) return []
  const lists = [documents.accepted_path, documents.rejected_path]
  const named = lists.flatMap((path) => listAt(body, path) ?? [])
  const references = named.map((each) => referenceOf(each, documents.answer_reference_path))
  return [...new Set(references.filter((each) => each !== undefined))]
}

function formatOf(text: string, body: ExactJson | undefined): JudgedAnswer['format'] {
  if (text.trim() === '') return 'empty'
  if (body === undefined) return 'none'
  return looksLikeXml(text) ? 'xml' : 'json'
}

const ruleOf = (name: JudgingRule, settings: Settings): AnswerRule | null =>
  name === 'pending_rule' ? (settings.pending?.rule ?? null) : settings[name]

function judgedRule(name: JudgingRule, settings: Settings, seen: AnswerSeen): JudgedRule[] {
  const rule = ruleOf(name, settings)
  if (!rule) return []
  const { body, status } = seen
  return [
    {
      rule: name,
      verdict: matchesRule(rule, seen),
      fits_status: fitsStatus(rule, status),
      join: rule.join,
      conditions: rule.conditions.map((condition) => {
        const values = body === undefined ? [] : valuesAt(body, condition.path)
        return {
          ...condition,
          found: values.slice(0, shownValues).map(shown),
          found_count: values.length,
          holds: body === undefined ? null : conditionHolds(condition, body),
        }
      }),
    },
  ]
}

function shown(value: ExactJson): string {
  const text = stringifyExact(value)
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}
