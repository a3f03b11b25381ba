import type { ComponentChildren } from 'preact'

interface CardProps {
  readonly name: string
  readonly title: string
  /** Shown beside the title. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A card without tabs. */
export function Card({ name, title, aside, children }: CardProps) {
  return (
    <section class="card" aria-labelledby={`${name}-title`} data-card={name}>
      <header class="card-head">
        <h2 id={`${name}-title`}>{title}</h2>
        {aside}
      </header>
      <div class="card-body">{children}</div>
    </section>
  )
}
