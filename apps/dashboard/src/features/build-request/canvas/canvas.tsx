import { Title } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId, type KeyboardEvent, type ReactNode } from 'react'
import classes from './canvas.module.css'

interface CanvasPart {
  title: string
  /** Beside the title on its tab, in a word. */
  note?: string | undefined
  /** Where the content has a title of its own. */
  labelledBy?: string
  content: ReactNode
}

interface CanvasProps {
  parts: readonly CanvasPart[]
  /** The one that is shown where there is room for one. */
  current: number
  onCurrent: (part: number) => void
}

/**
 * Parts of one piece of work, beside each other: of a wide window each scrolls by itself, of a narrow one they are
 * tabs. All of them stay as they are while another is shown.
 */
export function Canvas({ parts, current, onCurrent }: CanvasProps) {
  const id = useId()
  const isNarrow = useMediaQuery('(max-width: 47.99em)') === true

  function handleKey(event: KeyboardEvent) {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    const isTurned = document.documentElement.dir === 'rtl'
    const next = (current + (isTurned ? -by : by) + parts.length) % parts.length
    onCurrent(next)
    document.getElementById(`${id}-tab-${next}`)?.focus()
  }
  return (
    <div className={classes['canvas']}>
      {isNarrow && (
        // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its tabs have the focus
        <div role="tablist" className={classes['tabs']} onKeyDown={handleKey}>
          {parts.map(({ title, note }, at) => (
            <button
              key={title}
              type="button"
              role="tab"
              id={`${id}-tab-${at}`}
              aria-selected={at === current}
              aria-controls={`${id}-${at}`}
              tabIndex={at === current ? 0 : -1}
              className={classes['tab']}
              onClick={() => onCurrent(at)}
            >
              {title}
              {note !== undefined && <span className={classes['note']}>{note}</span>}
            </button>
          ))}
        </div>
      )}
      <div className={classes['columns']}>
        {parts.map(({ title, labelledBy, content }, at) => (
          <section
            key={title}
            id={`${id}-${at}`}
            className={classes['column']}
            aria-labelledby={labelledBy ?? `${id}-title-${at}`}
            hidden={isNarrow && at !== current}
          >
            {labelledBy === undefined && (
              <Title
                order={3}
                id={`${id}-title-${at}`}
                className={isNarrow ? (classes['spoken'] ?? '') : ''}
              >
                {title}
              </Title>
            )}
            {content}
          </section>
        ))}
      </div>
    </div>
  )
}
