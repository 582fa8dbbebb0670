export interface Shot {
  screen: string
  /** The theme, with the language unless that is English. */
  look: string
  width: number
  /** Beside the sheet. */
  file: string
}

/** A page with all pictures, screen by screen; a click opens one in its full size. */
export function contactSheet(shots: readonly Shot[]): string {
  const screens = Map.groupBy(shots, ({ screen }) => screen)
  const parts = [...screens].map(
    ([screen, own]) =>
      `<section><h2>${screen}</h2><div>${own.map(pictureOf).join('\n')}</div></section>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screens</title>
<style>
  body { margin: 1.5rem; background: #777; font: 14px/1.4 sans-serif; }
  h2 { font-size: 1rem; }
  div { display: flex; gap: 1rem; overflow-x: auto; align-items: start; }
  figure { flex: none; margin: 0; }
  img { display: block; height: 20rem; object-fit: cover; object-position: top left; }
</style>
${parts.join('\n')}
</html>
`
}

const pictureOf = ({ file, look, width, screen }: Shot) =>
  `<figure><a href="${file}"><img loading="lazy" src="${file}" alt="${screen}"></a><figcaption>${look}, ${width} px</figcaption></figure>`
