import { VisuallyHidden } from '@mantine/core'
import { useMemo } from 'react'
import { foldSame, type DiffLine } from '../../lib/format/line-diff.ts'
import classes from './line-diff-view.module.css'

const marks = { same: '  ', old: '− ', new: '+ ', gap: '  ⋯ ' } as const
const elements = { same: 'span', old: 'del', new: 'ins', gap: 'span' } as const

interface LineDiffProps {
  /** Names it for screen readers. */
  label: string
  lines: readonly DiffLine[]
}

/** What became of a text, line by line; equal lines far from a difference are left out. */
export function LineDiff({ label, lines }: LineDiffProps) {
  const shown = useMemo(() => foldSame(lines), [lines])
  return (
    // Scrolls, so it has to be reachable for those without a mouse.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: scrollable region
    <section className={classes['diff']} aria-label={label} tabIndex={0} dir="ltr">
      {shown.map(({ kind, text }, index) => {
        const Line = elements[kind]
        return (
          // oxlint-disable-next-line react/no-array-index-key -- lines repeat, and never move
          <div key={index} data-kind={kind}>
            <Line>
              <span aria-hidden style={{ display: 'inline', padding: 0 }}>
                {marks[kind]}
              </span>
              {kind === 'old' && <VisuallyHidden>before: </VisuallyHidden>}
              {kind === 'new' && <VisuallyHidden>now: </VisuallyHidden>}
              {text}
            </Line>
          </div>
        )
      })}
    </section>
  )
}
