import type { DocumentListSettings } from '@gatehouse/contract'
import { matchesRule, textAt } from '@gatehouse/contract/answer-rule'
import type { ExactJson } from '@gatehouse/contract/mapping'
import {
  isKnownThere,
  names,
  type DocumentVerdict,
  type DocumentVerdicts,
} from '../steps/documents/judge-documents.ts'
import { listAt } from '../answers/list-at.ts'
import { messagesAt } from '../answers/messages-at.ts'

type PollSettings = NonNullable<DocumentListSettings['poll']>
type PolledLists = Pick<DocumentListSettings, 'duplicate'> & { poll: PollSettings }

/**
 * What the status query says of each of several documents. One that it does not name, or whose element
 * fits both rules or neither, is not decided and not in the result.
 */
export function judgePoll(
  body: ExactJson | undefined,
  { poll: settings, duplicate }: PolledLists,
  references: readonly string[],
  mayHaveArrivedBefore: boolean,
): DocumentVerdicts {
  const list = listAt(body, settings.list_path) ?? []
  const decided = references.flatMap((reference) => {
    const named = list.filter((each) => names(each, settings.reference_path, reference))
    const [element, ...others] = named
    if (element === undefined || others.length > 0) return []
    const verdict = verdictOf(element, settings, mayHaveArrivedBefore)
    if (verdict?.state === 'not_accepted' && isKnownThere(element, { duplicate }))
      return [[reference, { ...verdict, state: 'unknown', isDuplicate: true } as const] as const]
    return verdict ? [[reference, verdict] as const] : []
  })
  return new Map(decided)
}

function verdictOf(
  element: ExactJson,
  settings: PollSettings,
  mayHaveArrivedBefore: boolean,
): DocumentVerdict | undefined {
  const { accepted, rejected } = settings
  const fits = (rule: typeof accepted) =>
    rule !== null && matchesRule(rule, { status: 200, body: element }) === 'holds'
  if (fits(accepted) === fits(rejected)) return undefined
  if (fits(accepted))
    return {
      state: 'accepted',
      authorityReference: textAt(element, settings.authority_reference_path),
      qr: textAt(element, settings.qr_path),
    }
  return {
    // It is about the repetition: an earlier attempt may have been received.
    state: mayHaveArrivedBefore ? 'unknown' : 'not_accepted',
    message: messagesAt(element, settings.message_path) || undefined,
  }
}
