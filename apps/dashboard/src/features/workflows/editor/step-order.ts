import type { StepDraft } from '../workflow-step-draft.ts'

/** The step `at` a place further up (-1) or down (1). What others take from the steps goes along with them. */
export function movedStep(steps: readonly StepDraft[], at: number, by: 1 | -1): StepDraft[] {
  const moved = [...steps]
  const [step] = moved.splice(at, 1)
  if (step) moved.splice(at + by, 0, step)
  return renumbered(steps, moved)
}

/** Without the step `at`. What others took from it reads step 0 from then on, which a save and the preview refuse. */
export const withoutStep = (steps: readonly StepDraft[], at: number): StepDraft[] =>
  renumbered(
    steps,
    steps.filter((_, place) => place !== at),
  )

function renumbered(before: readonly StepDraft[], after: readonly StepDraft[]): StepDraft[] {
  const positionOf = (old: number) =>
    after.findIndex(({ key }) => key === before[old - 1]?.key) + 1 || 0
  const sourceOf = (source: string, isRead: boolean) => {
    const old = Number(/^steps\.(\d+)\.body$/.exec(source)?.[1] ?? 0)
    if (old === 0) return source
    // The input could have the same path: to read it in silence would send another value.
    return positionOf(old) === 0 && !isRead ? 'input' : `steps.${positionOf(old)}.body`
  }
  return after.map(({ body, condition, has_condition, ...step }) => ({
    ...step,
    has_condition,
    body: {
      ...body,
      // Nothing is step 0: the preview names what has no source any more.
      text: body.text.replaceAll(
        /(\{\{\s*steps\.)(\d+)(?=\.)/g,
        (_, begin: string, old: string) => `${begin}${positionOf(Number(old))}`,
      ),
      rows: body.rows.map((row) =>
        row.source === undefined ? row : { ...row, source: sourceOf(row.source, row.from !== '') },
      ),
    },
    condition: { ...condition, source: sourceOf(condition.source, has_condition) },
  }))
}
