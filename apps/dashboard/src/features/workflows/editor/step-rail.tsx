import { Button, Group, Text } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconBraces, IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useChoice } from '../../../entities/endpoint/choice-source.tsx'
import { HistoryButton } from '../../../entities/mapping/history-button.tsx'
import { StatusWord } from '../../../ui/text/status-word.tsx'
import classes from './editor.module.css'
import type { EditorPart, StepEditor } from './use-step-editor.ts'
import type { StepState } from './step-state.ts'

interface StepRailProps {
  editor: StepEditor
  idOf: (part: EditorPart) => string
  stateOf: (at: number) => StepState | undefined
  inputState: StepState | undefined
  /** Beneath the steps: why there can't be more, or what is wrong with the list. */
  note: ReactNode
}

/**
 * The input and the steps, one of which is shown beside it. ↑ and ↓ go through them, with Alt they move the step,
 * Delete removes it, and Ctrl+Z takes that back.
 */
export function StepRail({ editor, idOf, stateOf, inputState, note }: StepRailProps) {
  const { steps, shown, isFull } = editor
  return (
    <div className={classes['rail']}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys come from its buttons */}
      <ol
        className={classes['parts']}
        aria-label="Steps"
        onKeyDown={(event) => handleKey(event, editor)}
      >
        <li>
          <RailButton
            part="input"
            isShown={shown === 'input'}
            controls={idOf('input')}
            onClick={() => editor.show('input')}
            mark={<IconBraces size={14} aria-hidden />}
            name={<>Input</>}
            state={inputState}
          />
        </li>
        {steps.map(({ key, endpoint_id, has_condition }, at) => (
          <li key={key}>
            <RailButton
              part={key}
              isShown={shown === key}
              controls={idOf(key)}
              onClick={() => editor.show(key)}
              mark={at + 1}
              name={<StepName position={at + 1} endpoint={endpoint_id} />}
              note={has_condition ? 'Under a condition' : undefined}
              state={stateOf(at)}
            />
          </li>
        ))}
      </ol>
      <Group gap={2} wrap="nowrap" className={classes['add'] ?? ''}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={isFull}
          onClick={editor.add}
        >
          Add step
        </Button>
        <HistoryButton label="Undo" keys="Ctrl+Z" Icon={IconArrowBackUp} onClick={editor.undo} />
        <HistoryButton label="Redo" keys="Ctrl+Y" Icon={IconArrowForwardUp} onClick={editor.redo} />
      </Group>
      {note}
    </div>
  )
}

interface RailButtonProps {
  part: string
  isShown: boolean
  controls: string
  onClick: () => void
  mark: ReactNode
  name: ReactNode
  note?: string | undefined
  state: StepState | undefined
}

function RailButton({
  part,
  isShown,
  controls,
  onClick,
  mark,
  name,
  note,
  state,
}: RailButtonProps) {
  return (
    <button
      type="button"
      data-part={part}
      className={classes['part']}
      aria-current={isShown ? 'step' : undefined}
      aria-controls={controls}
      onClick={onClick}
    >
      <span className={classes['mark']} aria-hidden>
        {mark}
      </span>
      <span className={classes['texts']}>
        <span className={classes['name']}>{name}</span>
        {note !== undefined && (
          <Text span size="xs" c="dimmed">
            {note}
          </Text>
        )}
        {state && (
          <span className={classes['state']}>
            <StatusWord color={state.color}>{state.word}</StatusWord>
          </span>
        )}
      </span>
    </button>
  )
}

function StepName({ position, endpoint }: { position: number; endpoint: string | null }) {
  const choice = useChoice(endpoint)
  return (
    <>
      <span className={classes['spoken']}>Step {position}: </span>
      {endpoint === null ? 'No endpoint yet' : (choice?.summery ?? `Endpoint ${endpoint}`)}
    </>
  )
}

function handleKey(event: KeyboardEvent<HTMLElement>, editor: StepEditor) {
  const { part } = (event.target as HTMLElement).closest<HTMLElement>('[data-part]')?.dataset ?? {}
  if (part !== undefined) editor.handleUndoKeys(event)
  if (part === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return
  const at = editor.steps.findIndex(({ key }) => key === part)
  const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
  if (event.key === 'Delete' && at !== -1) editor.remove(at)
  else if (by === undefined) return
  else if (event.altKey) editor.move(at, by)
  else {
    const next = at + by
    const key = next < 0 ? 'input' : editor.steps[next]?.key
    if (key !== undefined) editor.show(key)
  }
  event.preventDefault()
  editor.focusRail()
}
