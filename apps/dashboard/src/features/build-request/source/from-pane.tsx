import { Text } from '@mantine/core'
import { parseExact, pathOfValue, type ExactJson } from '@gatehouse/contract/mapping'
import { useMemo, useState, type ReactNode } from 'react'
import type { SourceCoverage } from '../../../entities/mapping/source-coverage.ts'
import { lazyPart } from '../../../lib/page/lazy-part.tsx'
import type { JsonPath } from '../../../ui/json/json-path-at.ts'
import { JsonPane } from '../../../ui/json/json-pane.tsx'
import type { Fetched } from '../use-fetching.ts'
import classes from './from-pane.module.css'

interface FromPaneProps {
  fetched: Fetched | undefined
  error: string | undefined
  coverage: SourceCoverage | undefined
  onPick: (path: JsonPath) => void
  onPickAll: (paths: readonly string[]) => void
}

/** The fetched JSON as a tree or as text. A click on a value, or Enter, adds a mapping row for it. */
export function FromPane({ fetched, error, ...picks }: FromPaneProps) {
  const [isText, setIsText] = useState(false)
  const document = useMemo(() => fetched && treeOf(fetched.json), [fetched])
  if (!fetched) return <NothingYet error={error} />
  const isTree = document !== undefined && !isText
  return (
    <>
      <div className={classes['bar']}>
        <Text size="xs" c="dimmed" className={classes['source'] ?? ''}>
          {fetched.source}
        </Text>
        {document !== undefined && (
          <div className={classes['views']}>
            <ViewButton isOn={isTree} onClick={() => setIsText(false)}>
              Tree
            </ViewButton>
            <ViewButton isOn={!isTree} onClick={() => setIsText(true)}>
              Text
            </ViewButton>
          </div>
        )}
      </div>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      {isTree ? (
        <JsonTree label="Fetched JSON" document={document.value} {...picks} />
      ) : (
        <TextPane text={fetched.text} onPick={picks.onPick} />
      )}
      {isTree && (
        <Text size="xs" c="dimmed">
          Click a value, or an object for all in it. With the keyboard: arrow keys and Enter.
        </Text>
      )}
    </>
  )
}

// Loaded with the first answer.
const JsonTree = lazyPart(async () => (await import('./json-tree.tsx')).JsonTree)

/** A larger document would hold up the page while it is read: it is shown as text. */
const largestTree = 1_000_000

function treeOf(json: string): { value: ExactJson } | undefined {
  return json.length > largestTree ? undefined : { value: parseExact(json) }
}

interface ViewButtonProps {
  isOn: boolean
  onClick: () => void
  children: ReactNode
}

function ViewButton({ isOn, onClick, children }: ViewButtonProps) {
  return (
    <button type="button" aria-pressed={isOn} className={classes['view']} onClick={onClick}>
      {children}
    </button>
  )
}

function NothingYet({ error }: { error: string | undefined }) {
  return (
    <div className={classes['empty']}>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {error}
        </Text>
      )}
      <Text fw={600}>Nothing fetched yet</Text>
      <Text size="sm" c="dimmed">
        Choose a From endpoint and press Get. A click on a value here then adds a mapping row.
      </Text>
    </div>
  )
}

function TextPane({ text, onPick }: { text: string; onPick: (path: JsonPath) => void }) {
  const [cursor, setCursor] = useState<JsonPath>()
  return (
    <div>
      <JsonPane
        label="Fetched JSON"
        value={text}
        minHeight={220}
        maxHeight="var(--source-height, 70vh)"
        picking={{
          describe: pathOfValue,
          hint: 'Click to add a mapping row',
          onPick: ({ path }) => onPick(path),
          onMove: (value) => setCursor(value?.path),
        }}
      />
      <CursorLine cursor={cursor} />
    </div>
  )
}

/** The path at the cursor, for keyboards and screen readers; the mouse has its hint. */
function CursorLine({ cursor }: { cursor: JsonPath | undefined }) {
  return (
    <Text size="xs" c="dimmed" aria-live="polite" className={classes['cursorLine'] ?? ''}>
      {cursor ? (
        <>
          <code>{pathOfValue(cursor)}</code> · Enter adds a mapping row
        </>
      ) : (
        'Click a value to map it, or move to it with the arrow keys and press Enter.'
      )}
    </Text>
  )
}
