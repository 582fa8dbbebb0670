import { Paper, Text, Title } from '@mantine/core'
import { pathOfValue } from '@gatehouse/contract/mapping'
import { useState } from 'react'
import type { JsonPath } from '../../ui/json-path-at.ts'
import { JsonPane } from '../../ui/json-pane.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './build-request.module.css'
import type { Fetched } from './use-fetching.ts'

interface FromPaneProps {
  fetched: Fetched | undefined
  error: string | undefined
  onPick: (path: JsonPath) => void
}

/** The fetched JSON; a click on a value, or Enter at the cursor, adds a mapping row for it. */
export function FromPane({ fetched, error, onPick }: FromPaneProps) {
  const [cursor, setCursor] = useState<JsonPath>()
  return (
    <Paper component="section" className={classes['card'] ?? ''} aria-labelledby="from-title">
      <JsonPane
        label="Fetched JSON"
        title={
          <>
            <Title order={3} id="from-title">
              From
            </Title>
            {fetched && (
              <Text size="xs" c="dimmed">
                {fetched.source}
              </Text>
            )}
          </>
        }
        value={fetched?.text ?? ''}
        problem={error === undefined ? undefined : { message: error }}
        empty={
          <Notice title="Nothing fetched yet">
            <Text size="sm" c="dimmed">
              Choose a From endpoint and press Get. A click on a value here then adds a mapping row.
            </Text>
          </Notice>
        }
        minHeight={220}
        maxHeight="70vh"
        picking={{
          describe: pathOfValue,
          hint: 'Click to add a mapping row',
          onPick: ({ path }) => onPick(path),
          onMove: (value) => setCursor(value?.path),
        }}
      />
      {fetched && <CursorLine cursor={cursor} />}
    </Paper>
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
