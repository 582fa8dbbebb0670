import type { AttemptRow } from '../attempt-store.ts'
import type { StoredRun } from '../open-run.ts'
import type { StepRow } from '../run-store.ts'

/** The bodies and answers of a run, as they went to the archive. */
interface ArchivedLine {
  run: { id: number }
  input: string | null
  steps: (Pick<StepRow, 'id' | 'headers' | 'body' | 'source_body'> & {
    attempts: Pick<AttemptRow, 'id' | 'kind' | 'answer_headers' | 'answer_body'>[]
  })[]
}

/** Bodies and answers that are not in the database any more (docs/archive.md). */
export interface ArchivedRuns {
  /** Where those of a run are; undefined where the database has them. */
  placeOf(
    runId: number,
  ): Promise<{ file_id: number; name: string; line: number | null } | undefined>
  /**
   * Those of a run and of the runs whose answers it uses, as far as they are in the archive. Throws a 409 or
   * 503 where a file can't be used.
   */
  readWithOrigins(runId: number): Promise<ArchivedLine[]>
  /** Puts them into the database again: what continues or repeats a run needs them there. Throws as above. */
  bringBack(runId: number): Promise<void>
}

/** Attempts with their answers, from the archive where that has them. */
export const withAnswers = (
  attempts: readonly AttemptRow[],
  lines: readonly ArchivedLine[],
): AttemptRow[] => {
  const answers = lines.flatMap(({ steps }) => steps.flatMap((step) => step.attempts))
  return attempts.map((attempt) => ({ ...attempt, ...answers.find(({ id }) => id === attempt.id) }))
}

/** A run with its bodies and answers, from the archive where that has them. */
export function withBodies(stored: StoredRun, lines: readonly ArchivedLine[]): StoredRun {
  const line = lines.find(({ run }) => run.id === stored.run.id)
  if (!line) return stored
  const { workflow } = stored
  return {
    ...stored,
    steps: stored.steps.map((step) => {
      const { attempts: _, ...bodies } = line.steps.find(({ id }) => id === step.id) ?? {}
      return { ...step, ...bodies }
    }),
    attemptsOf: (step) => withAnswers(stored.attemptsOf(step), [line]),
    workflow: workflow && { ...workflow, inputText: line.input ?? workflow.inputText },
  }
}
