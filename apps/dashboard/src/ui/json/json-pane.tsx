import { ActionIcon, Box } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { IconCheck, IconCopy, IconSearch } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import {
  Suspense,
  lazy,
  useDeferredValue,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { copyText } from '../../lib/browser/copy-text.ts'
import { notifyError } from '../../lib/page/notify.tsx'
import type { JsonEditorHandle } from './json-editor-view.tsx'
import type { JsonPicking } from './json-pick.ts'
import { JsonPlainView } from './json-plain-view.tsx'
import { sizeWords } from './json-size.ts'
import type { TextAssist } from './text-assist.ts'
import './json-pane.css'

const JsonEditor = lazy(() =>
  import('./json-editor-view.tsx').then(
    ({ JsonEditorView }) => ({ default: JsonEditorView }),
    () => ({ default: JsonPlainView }),
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
  placeholder?: string | undefined
  /** A plain text area instead of the editor. */
  isPlain?: boolean
  problem?: JsonPaneProblem | undefined
  picking?: JsonPicking
  assist?: TextAssist | undefined
  /** Marks the lines of the last change that came from outside. */
  marksChanges?: boolean
  /** To work on the editor from outside. */
  editorRef?: Ref<JsonEditorHandle> | undefined
  /** More buttons, left of search and copy. */
  actions?: ReactNode
  describedBy?: string
  minHeight?: number
  maxHeight?: string
}

/** A text of JSON with highlighting, folding, search and copy; always left to right. */
export function JsonPane(props: JsonPaneProps) {
  const { label, value, onChange, problem, empty, minHeight = 96, maxHeight = '60vh' } = props
  const Editor = props.isPlain ? JsonPlainView : JsonEditor
  const editor = useRef<JsonEditorHandle>(null)
  useImperativeHandle(props.editorRef, () => ({
    openSearch: () => editor.current?.openSearch(),
    goTo: (...at) => editor.current?.goTo(...at),
    insert: (write) => editor.current?.insert(write),
  }))
  const problemId = useId()
  const shown = useDeferredValue(value)
  const size = useMemo(() => sizeWords(shown), [shown])
  const isEmpty = !onChange && value === '' && empty !== undefined
  const described = [problem && problemId, props.describedBy].filter(Boolean).join(' ')
  const heights = { '--json-min-height': `${minHeight}px`, '--json-max-height': maxHeight }

  return (
    <Box className="json-pane" __vars={heights}>
      <div className="json-pane-bar">
        <div className="json-pane-title">{props.title}</div>
        {value !== '' && <span className="json-pane-size">{size}</span>}
        <div className="json-pane-tools">
          {props.actions}
          {value !== '' && !props.isPlain && (
            <ActionIcon
              title="Search (Ctrl+F)"
              variant="subtle"
              color="gray"
              aria-label={`Search in ${label}`}
              onClick={() => editor.current?.openSearch()}
            >
              <IconSearch size={16} aria-hidden />
            </ActionIcon>
          )}
          {value !== '' && <CopyAction label={label} text={value} />}
        </div>
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
            <Editor
              ref={editor}
              value={value}
              label={label}
              onChange={onChange}
              placeholder={props.placeholder}
              describedBy={described || undefined}
              isInvalid={problem !== undefined}
              picking={props.picking}
              assist={props.assist}
              marksChanges={props.marksChanges}
            />
          </Suspense>
        </div>
      )}
      <div className="json-pane-problem" id={problemId} aria-live="polite">
        {problem && <Problem problem={problem} onGo={(...at) => editor.current?.goTo(...at)} />}
      </div>
    </Box>
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
        Go to line {line}
      </button>
    </>
  )
}

const copiedShownMs = 2000

function CopyAction({ label, text }: { label: string; text: string }) {
  const [hasCopied, setHasCopied] = useState(false)
  const timer = useTimeout(() => setHasCopied(false), copiedShownMs)

  async function handleCopy() {
    if (!(await copyText(text))) return notifyError('The browser did not allow copying.')
    setHasCopied(true)
    return timer.start()
  }
  const CopyIcon = hasCopied ? IconCheck : IconCopy
  return (
    <ActionIcon
      title={hasCopied ? 'Copied' : 'Copy'}
      variant="subtle"
      color="gray"
      aria-label={`${hasCopied ? 'Copied' : 'Copy'} ${label}`}
      onClick={() => void handleCopy()}
    >
      <CopyIcon size={16} aria-hidden />
    </ActionIcon>
  )
}
