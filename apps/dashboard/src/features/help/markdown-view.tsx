import { Anchor, Code } from '@mantine/core'
import { createElement, type ReactNode } from 'react'
import classes from './help.module.css'
import { linkedPlace, type HelpPlace } from './help-pages.ts'
import { parseInline, type Block, type Inline } from './markdown.ts'

interface MarkdownViewProps {
  /** The page that it is: links to its own headings stay in it. */
  page: string
  blocks: readonly Block[]
  onOpen: (place: HelpPlace) => void
}

/** Headings get ids of their own, so that they never meet those of the screen. */
export const anchorOf = (section: string) => `help-${section}`

/* oxlint-disable react/no-array-index-key -- the parts of a text never move */
export function MarkdownView({ page, blocks, onOpen }: MarkdownViewProps) {
  const inline = (text: string): ReactNode =>
    parseInline(text).map((part, at) => (
      <InlinePart key={at} part={part} page={page} onOpen={onOpen} />
    ))
  return blocks.map((block, at) => <BlockPart key={at} block={block} inline={inline} />)
}

interface BlockPartProps {
  block: Block
  inline: (text: string) => ReactNode
}

function BlockPart({ block, inline }: BlockPartProps) {
  switch (block.kind) {
    case 'heading':
      return createElement(
        `h${Math.min(block.level + 1, 5)}`,
        { id: anchorOf(block.id), tabIndex: -1 },
        inline(block.text),
      )
    case 'paragraph':
      return <p>{inline(block.text)}</p>
    case 'code':
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
      return <pre tabIndex={0}>{block.text}</pre>
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{inline(item)}</li>)
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'table':
    default:
      return (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
        <section className={classes['table']} tabIndex={0} aria-label="Table">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  <th key={at}>{inline(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )
  }
}

interface InlinePartProps {
  part: Inline
  page: string
  onOpen: (place: HelpPlace) => void
}

function InlinePart({ part, page, onOpen }: InlinePartProps) {
  if (part.kind !== 'link') return styled(part)
  if (/^https?:/.test(part.href))
    return (
      <Anchor href={part.href} target="_blank" rel="noreferrer" inherit underline="always">
        {part.text}
      </Anchor>
    )
  const place = linkedPlace(part.href, page)
  // What is not among these pages, such as a decision, stays text.
  if (!place) return part.text
  return (
    <Anchor
      component="button"
      type="button"
      inherit
      underline="always"
      onClick={() => onOpen(place)}
    >
      {part.text}
    </Anchor>
  )
}

function styled({ kind, text }: Exclude<Inline, { kind: 'link' }>): ReactNode {
  if (kind === 'code') return <Code>{text}</Code>
  if (kind === 'strong') return <strong>{text}</strong>
  return kind === 'emphasis' ? <em>{text}</em> : text
}
