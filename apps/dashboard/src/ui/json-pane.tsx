import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy, IconSearch } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { Suspense, lazy, useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import { copyText } from './copy-text.ts'
import type { JsonEditorHandle } from './json-editor-view.tsx'
import type { JsonPicking } from './json-pick.ts'
import { describeSize } from './json-size.ts'
import './json-pane.css'

const JsonEditor = lazy(() =>
  import('./json-editor-view.tsx').then(
    ({ JsonEditorView }) => ({ default: JsonEditorView }),
    async () => ({ default: (await import('./json-plain-view.tsx')).JsonPlainView }),
  ),
)

/** What is wrong with a JSON text, and where: line and column count from 1. */
export interface JsonPaneProblem {
  message: string
  line?: number | undefined
  column?: number | undefined
}

export interface JsonPaneProps {
  /** Names the pane for assistive technology. */
  label: string
  title?: ReactNode
  value: string
  /** Absent: read-only. */
  onChange?: (text: string) => void
  /** Shown instead of the pane while it is read-only and blank. */
  empty?: ReactNode
  placeholder?: string
  problem?: JsonPaneProblem | undefined
  picking?: JsonPicking
  /** More buttons, left of search and copy. */
  actions?: ReactNode
  describedBy?: string
  minHeight?: number
  maxHeight?: string
}

/** A text of JSON with highlighting, folding, search and copy; always left to right. */
export function JsonPane(props: JsonPaneProps) {
  const { label, value, onChange, problem, empty, minHeight = 96, maxHeight = '60vh' } = props
  const editor = useRef<JsonEditorHandle>(null)
  const problemId = useId()
  const shown = useDeferredValue(value)
  const size = useMemo(() => describeSize(shown), [shown])
  const isEmpty = !onChange && value === '' && empty !== undefined
  const described = [problem && problemId, props.describedBy].filter(Boolean).join(' ')
  const heights = { '--json-min-height': `${minHeight}px`, '--json-max-height': maxHeight }

  return (
    <div className="json-pane" style={heights as CSSProperties}>
      <div className="json-pane-bar">
        <div className="json-pane-title">{props.title}</div>
        {value !== '' && <span className="json-pane-size">{size}</span>}
        {props.actions}
        {!isEmpty && (
          <Tooltip label="Search (Ctrl+F)">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Search in ${label}`}
              disabled={value === ''}
              onClick={() => editor.current?.openSearch()}
            >
              <IconSearch size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        {!isEmpty && <CopyButton label={label} text={value} />}
      </div>
      {isEmpty ? (
        empty
      ) : (
        <div
          className="json-pane-frame"
          dir="ltr"
          data-editable={onChange ? true : undefined}
          data-invalid={problem ? true : undefined}
        >
          <Suspense fallback={<div style={{ minHeight }} aria-busy="true" />}>
            <JsonEditor
              ref={editor}
              value={value}
              label={label}
              onChange={onChange}
              placeholder={props.placeholder}
              describedBy={described || undefined}
              isInvalid={problem !== undefined}
              picking={props.picking}
            />
          </Suspense>
        </div>
      )}
      <div className="json-pane-problem" id={problemId} aria-live="polite">
        {problem && <Problem problem={problem} onGo={(...at) => editor.current?.goTo(...at)} />}
      </div>
    </div>
  )
}

interface ProblemProps {
  problem: JsonPaneProblem
  onGo: (line: number, column: number) => void
}

function Problem({ problem: { message, line, column = 1 }, onGo }: ProblemProps) {
  if (line === undefined) return message
  return (
    <>
      {message}{' '}
      <button type="button" onClick={() => onGo(line, column)}>
        Line {line}, column {column}
      </button>
    </>
  )
}

function CopyButton({ label, text }: { label: string; text: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const words = { idle: 'Copy', copied: 'Copied', refused: 'The browser refused to copy' }[state]
  const handleCopy = async () => setState((await copyText(text)) ? 'copied' : 'refused')
  return (
    <>
      <Tooltip label={words}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Copy ${label}`}
          disabled={text === ''}
          onClick={() => void handleCopy()}
          onBlur={() => setState('idle')}
          onMouseLeave={() => setState('idle')}
        >
          {state === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        </ActionIcon>
      </Tooltip>
      <span className="json-pane-said" role="status">
        {state === 'idle' ? '' : words}
      </span>
    </>
  )
}
