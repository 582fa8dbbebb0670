import { Button, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { LogEntry } from '@gatehouse/contract'
import { logMessages } from './log-messages.ts'
import classes from './log-table.module.css'

const shownLength = 700

interface LogContentProps {
  entry: LogEntry
  onSearch: (text: string) => void
}

/** What an entry says. Whatever it holds, it is text: nothing of it becomes part of the page. */
export function LogContent({ entry, onSearch }: LogContentProps) {
  return (
    <>
      <LongText text={entry.text} />
      {entry.is_truncated && (
        <Text size="xs" c="dimmed">
          truncated, download the file
        </Text>
      )}
      {(entry.request_id !== '' || entry.stack !== '') && (
        <div className={classes['more']}>
          {entry.stack !== '' && <Stack stack={entry.stack} />}
          {entry.request_id !== '' && (
            <Button
              variant="subtle"
              size="compact-xs"
              ff="monospace"
              fw={400}
              aria-label={`Show entries of request ${entry.request_id}`}
              onClick={() => onSearch(entry.request_id)}
            >
              {entry.request_id}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function LongText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const isLong = text.length > shownLength * 1.3
  return (
    <div className={classes['text']} dir="auto">
      {isLong && !isWhole ? `${text.slice(0, shownLength)}… ` : text}
      {isLong && (
        <Button
          variant="subtle"
          size="compact-xs"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  )
}

function Stack({ stack }: { stack: string }) {
  const [isShown, setIsShown] = useState(false)
  const stackId = useId()
  const Chevron = isShown ? IconChevronDown : IconChevronRight
  return (
    <>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<Chevron size={14} aria-hidden />}
        aria-expanded={isShown}
        aria-controls={stackId}
        onClick={() => setIsShown(!isShown)}
      >
        {logMessages.viewStack}
      </Button>
      <pre id={stackId} className={classes['stack']} hidden={!isShown} dir="auto">
        {isShown && stack}
      </pre>
    </>
  )
}
