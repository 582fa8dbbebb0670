import type { Page } from 'playwright-core'
import { accessibilityProblems } from './open-browser.ts'

type Theme = 'light' | 'dark'

/**
 * What keeps people out of the screen that is shown (WCAG 2.2 A and AA), in these themes; from the second one
 * on by its colours, since nothing else differs.
 */
export async function barriersOf(
  page: Page,
  themes: readonly Theme[] = ['light', 'dark'],
): Promise<string[]> {
  const found: string[] = []
  // What is out of sight and not laid out keeps the colours of the theme before.
  if ((await page.locator('style[data-visible]').count()) === 0)
    await page.evaluate(
      `document.head.insertAdjacentHTML('beforeend', '<style data-visible>* { content-visibility: visible !important }</style>')`,
    )
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    const problems = await accessibilityProblems(page, {
      isTargetSizeChecked: true,
      isWhole: true,
      isContrastAlone: colorScheme !== themes[0],
    })
    found.push(...problems.map((problem) => `${colorScheme}: ${problem}`))
  }
  return found
}
