import type { RunSettings, RunStepDetail } from '@gatehouse/contract'

type Settings = Pick<RunSettings, 'pending' | 'documents' | 'status_query'>

/**
 * What "It was received" asks for: nothing; the number of the submission, by which the authority is asked for its
 * decision; or what became of each document. Without settings, several documents are asked for each.
 */
export function receivedAsks(
  settings: Settings | undefined,
  documents: number,
): RunStepDetail['received_asks'] {
  if (documents === 0) return 'nothing'
  if (!settings) return documents > 1 ? 'documents' : 'nothing'
  if (!settings.pending && !settings.documents) return 'nothing'
  const canAsk = settings.pending !== null && (settings.status_query?.endpoint_id ?? null) !== null
  return canAsk ? 'submission' : 'documents'
}

/** The document's own number is enough to ask by. */
export const needsSubmission = ({ pending }: Settings, documents: number): boolean =>
  (pending?.parameter_path ?? '') !== '' || documents > 1
