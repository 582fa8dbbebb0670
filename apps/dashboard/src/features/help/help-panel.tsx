import { ActionIcon, Anchor, CloseButton, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { QueryLoader } from '../../ui/page/query-loader.tsx'
import classes from './help.module.css'
import { errorPlace, helpPlaceOf, loadShownPage, namedPlace, type HelpPlace } from './help-pages.ts'
import { lastRefusal } from './last-refusal.ts'
import { anchorOf, MarkdownView } from './markdown-view.tsx'

interface HelpPanelProps {
  /** Of the screen that is shown. */
  pathname: string
  /** A place that the address names, such as `errors/run.key_reused`. */
  asked?: string | null
  onClose: () => void
}

/** The docs beside the screen, opened at what the screen is about. The screen stays usable. */
export function HelpPanel({ pathname, asked = null, onClose }: HelpPanelProps) {
  const [trail, setTrail] = useState<readonly HelpPlace[]>(() => {
    const place = asked === null ? undefined : namedPlace(asked)
    return place ? [place] : []
  })
  const refused = lastRefusal(useQueryClient())
  const [shownFor, setShownFor] = useState(pathname)
  const panel = useRef<HTMLElement>(null)
  // Another screen has its own page.
  if (pathname !== shownFor) {
    setShownFor(pathname)
    setTrail([])
  }
  const place = trail.at(-1) ?? helpPlaceOf(pathname)
  useHotkeys([['Escape', onClose]])
  useEffect(() => panel.current?.focus(), [])
  return (
    <aside ref={panel} className={classes['panel']} aria-label="Help" tabIndex={-1} data-autofocus>
      <div className={classes['head']}>
        {trail.length > 0 && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label="Back"
            onClick={() => setTrail(trail.slice(0, -1))}
          >
            <IconArrowLeft size={18} />
          </ActionIcon>
        )}
        <Text fw={600} className={classes['title'] ?? ''}>
          Help
        </Text>
        <CloseButton aria-label="Close the help" onClick={onClose} />
      </div>
      {refused !== undefined && place.page !== 'errors' && (
        <Text size="sm" className={classes['refusal'] ?? ''}>
          The last refusal here:{' '}
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            onClick={() => setTrail([...trail, errorPlace(refused)])}
          >
            {refused}
          </Anchor>
        </Text>
      )}
      <HelpText
        key={`${place.page}#${place.section ?? ''}`}
        place={place}
        onOpen={(next) => setTrail([...trail, next])}
      />
    </aside>
  )
}

interface HelpTextProps {
  place: HelpPlace
  onOpen: (place: HelpPlace) => void
}

function HelpText({ place, onOpen }: HelpTextProps) {
  const { page, section } = place
  const query = useQuery({
    queryKey: ['help', page],
    queryFn: () => loadShownPage(page),
    staleTime: Infinity,
  })
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (section === undefined || !query.data) return
    const heading = document.getElementById(anchorOf(section))
    // Within the panel alone: the screen behind it stays where it is.
    if (heading && text.current)
      text.current.scrollTop = heading.offsetTop - text.current.offsetTop - 8
  }, [section, query.data])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls
    <div ref={text} className={classes['text']} tabIndex={0}>
      <QueryLoader query={query} failureText="The help could not be loaded.">
        {(shown) => (
          <div lang={shown.language} dir={shown.language === 'ar' ? 'rtl' : 'ltr'}>
            <MarkdownView page={shown.path} blocks={shown.blocks} onOpen={onOpen} />
          </div>
        )}
      </QueryLoader>
    </div>
  )
}
