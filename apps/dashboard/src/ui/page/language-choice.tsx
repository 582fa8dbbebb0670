import { Anchor } from '@mantine/core'
import { language, languages, showLanguage, type Language } from '../../lib/format/language.ts'
import classes from './language-choice.module.css'

/** The languages, each under its own name: for users who cannot read the one that is shown. */
export function LanguageChoice() {
  return (
    <fieldset aria-label="Language" className={classes['choice'] ?? ''}>
      {languageChoices.map(([code, name]) => (
        <Anchor
          key={code}
          component="button"
          type="button"
          lang={code}
          size="sm"
          c={code === language ? 'inherit' : 'dimmed'}
          fw={code === language ? 600 : 400}
          aria-current={code === language ? 'true' : undefined}
          onClick={() => showLanguage(code)}
        >
          {name}
        </Anchor>
      ))}
    </fieldset>
  )
}

export const languageChoices = Object.entries(languages) as [Language, string][]
