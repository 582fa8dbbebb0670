import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { undoKeys } from '../../../entities/mapping/use-mapping-rows.ts'
import { useRowHistory } from '../../../entities/mapping/use-row-history.ts'
import { partOf, type FormPart } from '../../../lib/forms/form-part.ts'
import type { WorkflowFormState } from '../workflow-form-values.ts'
import { blankStep, type StepDraft } from '../workflow-step-draft.ts'
import { movedStep, withoutStep } from './step-order.ts'

/** `input`, or the key of a step. */
export type EditorPart = string

/** The most steps of each kind (spec: workflow-definition). */
const stepsMax: Record<string, number> = { tax: 4, credit: 3, general: 10 }

export interface StepEditor {
  steps: readonly StepDraft[]
  /** The steps as a part of the form, each change of which can be taken back. */
  list: FormPart<StepDraft[]>
  undo: (() => void) | undefined
  redo: (() => void) | undefined
  handleUndoKeys: (event: KeyboardEvent<HTMLElement>) => void
  shown: EditorPart
  max: number
  isFull: boolean
  show: (part: EditorPart) => void
  add: () => void
  /** Nothing happens where it can't go there. */
  move: (at: number, by: 1 | -1) => void
  /** Nothing happens to the only step. */
  remove: (at: number) => void
  /** The focus follows what is shown on the rail. */
  focusRail: () => void
}

/** Which part of a workflow is shown, and what can be done to its steps. */
export function useStepEditor(form: WorkflowFormState, isInputFirst: boolean): StepEditor {
  const { steps, kind } = form.values
  const [chosen, setChosen] = useState<EditorPart>(isInputFirst ? 'input' : '')
  const shown =
    chosen === 'input' || steps.some(({ key }) => key === chosen) ? chosen : (steps[0]?.key ?? '')
  const max = stepsMax[kind] ?? 10
  const focus = useFocusAfter()

  const history = useRowHistory<StepDraft>(steps, (make) => {
    const changed = make(steps)
    form.setFieldValue('steps', changed)
    // Messages are known by their places.
    form.clearErrors()
    // One that is new, or back, is what the work goes on with.
    const added = changed.find(({ key }) => steps.every((step) => step.key !== key))
    if (added) setChosen(added.key)
  })
  const change = (changed: StepDraft[]) => history.change(() => changed)
  return {
    steps,
    list: undoable(partOf(form, 'steps'), history.mark),
    undo: history.undo,
    redo: history.redo,
    handleUndoKeys: undoKeys(history.undo, history.redo),
    shown,
    max,
    isFull: steps.length >= max,
    show: setChosen,
    add: () => {
      const step = blankStep()
      change([...steps, step])
      focus(() => document.querySelector(`[data-step="${step.key}"] input`))
    },
    move: (at, by) => {
      if (at < 0 || !steps[at + by]) return
      const pressed = document.activeElement
      change(movedStep(steps, at, by))
      focus(() => pressed)
    },
    remove: (at) => {
      if (steps.length === 1) return
      change(withoutStep(steps, at))
      const next = (steps[at + 1] ?? steps[at - 1])?.key ?? 'input'
      if (steps[at]?.key === shown) setChosen(next)
      focus(() => railButton(next))
    },
    focusRail: () => focus(() => document.querySelector('[data-part][aria-current]')),
  }
}

const undoable = <Values>(part: FormPart<Values>, mark: (field: string) => void) => ({
  ...part,
  set(field: string, value: unknown) {
    mark(field)
    part.set(field, value)
  },
  append(field: string, item: unknown) {
    mark('')
    part.append(field, item)
  },
  remove(field: string, at: number) {
    mark('')
    part.remove(field, at)
  },
})

const railButton = (part: EditorPart) => document.querySelector(`[data-part="${part}"]`)

/** Moves the focus once what was changed is in the document. */
function useFocusAfter() {
  const due = useRef<() => Element | null>(undefined)
  const [, draw] = useState(0)
  useLayoutEffect(() => {
    const target = due.current?.()
    due.current = undefined
    if (target instanceof HTMLElement) target.focus()
  })
  return (target: () => Element | null) => {
    due.current = target
    draw((count) => count + 1)
  }
}
