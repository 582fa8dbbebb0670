import { Text } from '@mantine/core'
import { useId } from 'react'
import { partIn } from '../../../lib/forms/form-part.ts'
import type { WorkflowFormState } from '../workflow-form-values.ts'
import { workflowKindWords } from '../workflows-messages.ts'
import type { StepDraft } from '../workflow-step-draft.ts'
import classes from './editor.module.css'
import { InputPanel } from './input-panel.tsx'
import { answerOf, askedBy } from './step-answers.ts'
import type { StepRuns } from './use-step-runs.ts'
import { StepPanel } from './step-panel.tsx'
import { StepRail } from './step-rail.tsx'
import { stateOfInput, stateOfStep } from './step-state.ts'
import { useStepEditor } from './use-step-editor.ts'
import { useWorkflowSamples } from './use-workflow-samples.ts'
import type { LivePreview } from './use-workflow-preview.ts'

interface StepCanvasProps {
  form: WorkflowFormState
  live: LivePreview
  runs: StepRuns
  /** The input is shown first: nothing is known of it yet. */
  isInputFirst: boolean
}

/** The rail of steps, and beside it the one that is chosen. The others stay as they are meanwhile. */
export function StepCanvas({ form, live, runs, isInputFirst }: StepCanvasProps) {
  const id = useId()
  const editor = useStepEditor(form, isInputFirst)
  const samplesOf = useWorkflowSamples(form.values.steps, form.values.sample_input, runs.answers)
  const { steps, shown } = editor
  const answered = (step: StepDraft) => {
    const answer = answerOf(step, runs.answers)
    const asked = askedBy(step, form.values.sample_input)
    return { answer, isStale: answer !== undefined && answer.asked !== asked }
  }
  const idOf = (part: string) => `${id}-${part}`
  return (
    <div className={classes['editor']} ref={revealParts}>
      <div className={classes['canvas']}>
        <StepRail
          editor={editor}
          idOf={idOf}
          stateOf={(at) => {
            const step = steps[at]
            return (
              step && stateOfStep(step, at + 1, { live, errors: form.errors, ...answered(step) })
            )
          }}
          inputState={stateOfInput(live, form.errors)}
          note={<RailNote form={form} max={editor.isFull ? editor.max : undefined} />}
        />
        <InputPanel id={idOf('input')} isShown={shown === 'input'} form={form} live={live} />
        {steps.map((step, at) => (
          <StepPanel
            key={step.key}
            id={idOf(step.key)}
            stepKey={step.key}
            isShown={shown === step.key}
            runs={runs}
            {...answered(step)}
            part={partIn(editor.list, at)}
            position={at + 1}
            live={live}
            taking={samplesOf(at)}
            errors={form.errors}
            onMove={(by) => editor.move(at, by)}
            isFirst={at === 0}
            isLast={at === steps.length - 1}
            onRemove={() => editor.remove(at)}
          />
        ))}
      </div>
    </div>
  )
}

/** A wrong field may be in a part that is hidden: what shows that part is pressed. */
function revealParts(editor: HTMLElement | null) {
  const reveal = ({ target }: Event) => {
    if (!(target instanceof HTMLElement)) return
    const part = target.closest('[hidden]')
    if (!part?.id) return
    document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(part.id)}"]`)?.click()
    requestAnimationFrame(() => target.focus())
  }
  // On its way down: it does not bubble.
  editor?.addEventListener('reveal', reveal, true)
  return () => editor?.removeEventListener('reveal', reveal, true)
}

function RailNote({ form, max }: { form: WorkflowFormState; max: number | undefined }) {
  const error = form.errors['steps']
  return (
    <>
      {max !== undefined && (
        <Text size="xs" c="dimmed">
          A {workflowKindWords[form.values.kind as 'tax']?.toLowerCase()} workflow has at most {max}{' '}
          steps.
        </Text>
      )}
      {typeof error === 'string' && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </>
  )
}
