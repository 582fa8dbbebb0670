import { Anchor, Button, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { LogEntry } from '@gatehouse/contract'
import { lazyPart } from '../../lib/page/lazy-part.tsx'
import { entryWords } from './entry-words.ts'
import { logMessages } from './log-messages.ts'
import { requestAddress } from './log-params.ts'
import classes from './log-table.module.css'
import { LongText } from './long-text.tsx'

interface LogContentProps {
  file: string
  entry: LogEntry
}

const shownIdLength = 8

const LogDetail = lazyPart(async () => (await import('./log-detail.tsx')).LogDetail)

/** What an entry says, in one line that opens to show the rest. */
export function LogContent({ file, entry }: LogContentProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [isStackShown, setIsStackShown] = useState(false)
  const { line, json } = useMemo(() => entryWords(entry), [entry])
  const detailId = useId()
  const stackId = useId()
  const { stack, request_id } = entry
  return (
    <>
      <div className={classes['line']}>
        <UnstyledButton
          className={classes['opener'] ?? ''}
          data-log-line
          aria-expanded={isOpen}
          {...(isOpen ? { 'aria-controls': detailId } : {})}
          onClick={() => setIsOpen(!isOpen)}
        >
          <Chevron isOpen={isOpen} />
          <span className={classes['text']} dir="auto">
            {line === '' ? '(blank)' : line}
          </span>
        </UnstyledButton>
        {stack !== '' && (
          <Button
            className={classes['stackButton'] ?? ''}
            variant="default"
            size="compact-xs"
            aria-expanded={isStackShown}
            aria-controls={stackId}
            onClick={() => setIsStackShown(!isStackShown)}
          >
            {logMessages.viewStack}
          </Button>
        )}
        {request_id !== '' && (
          <Anchor
            component={Link}
            to={requestAddress(file, entry)}
            className={classes['requestId'] ?? ''}
            title={request_id}
            aria-label={`Show entries of request ${request_id}`}
          >
            {request_id.slice(0, shownIdLength)}
          </Anchor>
        )}
      </div>
      {isOpen && (
        <div id={detailId}>
          <LogDetail file={file} entry={entry} json={json} />
        </div>
      )}
      {isStackShown && <LongText id={stackId} label="The stack" text={stack} />}
    </>
  )
}

function Chevron({ isOpen }: { isOpen: boolean }) {
  const Icon = isOpen ? IconChevronDown : IconChevronRight
  return <Icon size={14} aria-hidden className={classes['chevron'] ?? ''} />
}
