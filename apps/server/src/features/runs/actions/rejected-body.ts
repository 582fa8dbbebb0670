import type { RunSettings } from '@gatehouse/contract'
import { escapeBraces } from '@gatehouse/contract/mapping'
import type { Stores } from '../../../stores.ts'
import type { StepRow } from '../ledger/run-store.ts'
import { onlyDocuments } from '../steps/documents/only-documents.ts'

/**
 * What a correction of a partly accepted step begins with: its body with the rejected documents alone.
 * Undefined for any other step, and where the body can't be cut.
 */
export async function rejectedBody(
  { documents }: Pick<Stores, 'documents'>,
  step: StepRow,
  settings: RunSettings['documents'],
): Promise<string | undefined> {
  if (step.state !== 'partial' || !settings) return undefined
  const links = await documents.listOfStep(step.run_id, step.position)
  const rejected = links.filter(({ state }) => state === 'not_accepted')
  const references = rejected.map(({ reference }) => reference)
  const typed = step.source_body ?? step.body ?? ''
  const sent = step.body ?? ''
  // Where the references are filled in, what was sent has them; its braces are text.
  return (
    onlyDocuments(typed, settings, references) ??
    onlyDocuments(escapeBraces(sent), settings, references)
  )
}
