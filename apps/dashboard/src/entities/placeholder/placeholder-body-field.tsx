import { Button } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useDeferredValue, useId, useMemo, useRef, useState, type ComponentProps } from 'react'
import { BodyField } from '../../ui/form/body-field.tsx'
import type { JsonEditorHandle } from '../../ui/json/json-editor-view.tsx'
import { assistMaxLength } from '../../ui/json/text-assist.ts'
import { placeholderAssist, writtenAt } from './placeholder-assist.ts'
import { PlaceholderPanel } from './placeholder-panel.tsx'
import type { Sample } from './sample-answers.ts'
import classes from './placeholder.module.css'

interface PlaceholderBodyFieldProps extends Omit<
  ComponentProps<typeof BodyField>,
  'assist' | 'editorRef' | 'actions'
> {
  /** Of the step whose body it is, counted from 1. */
  position: number
  /** What it can take values from: the input of a workflow (step 0), and earlier answers. */
  samples: readonly Sample[]
  /** They are to be shown: called when the list is opened. */
  onWant: () => void
  /** The body is text of another kind than JSON. */
  isText: boolean
}

const doubtsShown = 3

/** A body with placeholders: values of samples beside it, completion, and what can't be filled. */
export function PlaceholderBodyField(props: PlaceholderBodyFieldProps) {
  const { position, samples, onWant, isText, ...field } = props
  const [isOpen, setIsOpen] = useState(false)
  const editor = useRef<JsonEditorHandle>(null)
  const panelId = useId()
  const hasInput = samples.some(({ step }) => step === 0)
  const assist = useMemo(
    () => placeholderAssist(samples, { position, hasInput }, isText),
    [samples, position, hasInput, isText],
  )
  const text = useDeferredValue(field.value)
  const doubts = useMemo(
    () => (text.length > assistMaxLength ? [] : assist.problemsIn(text)),
    [assist, text],
  )
  const insert = (placeholder: string) =>
    editor.current?.insert((text, at) => writtenAt(text, at, placeholder, isText))
  return (
    <div className={classes['frame']}>
      <div className={classes['columns']} data-open={isOpen || undefined}>
        <BodyField
          {...field}
          assist={assist}
          editorRef={editor}
          actions={
            samples.length > 0 && (
              <Button
                variant="subtle"
                size="compact-xs"
                leftSection={<IconBraces size={14} aria-hidden />}
                aria-expanded={isOpen}
                aria-controls={panelId}
                onClick={() => {
                  onWant()
                  setIsOpen(!isOpen)
                }}
              >
                Insert a value
              </Button>
            )
          }
        />
        <div id={panelId} hidden={!isOpen}>
          {isOpen && (
            <PlaceholderPanel samples={samples} onPick={({ placeholder }) => insert(placeholder)} />
          )}
        </div>
      </div>
      {doubts.length > 0 && (
        <ul className={classes['doubts']} aria-label="Placeholders that can’t be filled">
          {doubts.slice(0, doubtsShown).map(({ from, message }) => (
            <li key={from}>{message}</li>
          ))}
          {doubts.length > doubtsShown && <li>and {doubts.length - doubtsShown} more</li>}
        </ul>
      )}
    </div>
  )
}
