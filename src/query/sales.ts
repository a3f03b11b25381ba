import { channelText, foreignReferrer, withChannel } from './channels.ts'
import { isAction, rows } from './rows.ts'
import type { Selection } from './scope.ts'
import { type Fragment, sql, text, uint8, union } from './sql.ts'
import { customEvents } from './tables.ts'
import { shownViews } from './views.ts'
import { placed, textBehind } from './visit-facts.ts'

/**
 * What events say of money, in their properties. A property's name ends in `revenue` or `currency`, alone or after a
 * dot; what stands before, the dot included, is its prefix.
 */
type Word = 'revenue' | 'currency'

/** Whether events of this shape may have a property of this name. It reads each different shape once. */
const hasNamed = (word: Word): Fragment => sql`match(shape, ${text(`(?i)[".]${word}"`)})`

/** The properties of this name, as tuples of key, data type, text and number. */
const propertiesNamed = (word: Word): Fragment => sql`arrayFilter(
  property -> endsWith(concat('.', lower(tupleElement(property, 1))), ${text(`.${word}`)}),
  arrayZip(properties.key, properties.data_type, properties.string_value, properties.number_value))`

/** Of properties whose names differ only in letter case, the first in the order of their texts. */
const firstOfEachName = (properties: Fragment): Fragment => sql`arrayFilter(
  (property, place) ->
    indexOf(arrayMap(one -> lowerUTF8(tupleElement(one, 1)), ${properties}), lowerUTF8(tupleElement(property, 1))) = place,
  ${properties}, arrayEnumerate(${properties}))`

const [key, type, string, number] = [1, 2, 3, 4].map((place) => sql`tupleElement(property, ${uint8(place)})`) as [
  Fragment,
  Fragment,
  Fragment,
  Fragment,
]

const prefix = (word: Word): Fragment => sql`substring(${key}, 1, length(${key}) - ${uint8(word.length)})`

/** White space at either end, as JavaScript trims it. */
const blanks =
  '[\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+'

const trimmed = (text_: Fragment): Fragment => sql`replaceRegexpAll(${text_}, ${text(`^${blanks}|${blanks}$`)}, '')`

/** The currencies of an event, as tuples of prefix and currency, the longest prefix first. */
const currencies = sql`arraySort(
  currency -> -toInt64(length(tupleElement(currency, 1))),
  arrayFilter(
    currency -> tupleElement(currency, 2) != '',
    arrayMap(
      property -> (${prefix('currency')}, if(${type} = 1, upperUTF8(${trimmed(string)}), '')),
      ${firstOfEachName(sql`named_currency`)})))`

/** A text that is an amount. */
const isAmount = sql`match(${string}, '^-?[0-9]{1,18}([.][0-9]+)?$')`

/** The amount of a text, rounded to four places, half away from zero: the fifth place decides. */
const amountOfText = sql`cast(
  toDecimal128OrZero(substring(${string}, 1, if(position(${string}, '.') = 0, length(${string}), position(${string}, '.') + 5)), 5)
    + if(startsWith(${string}, '-'), toDecimal128('-0.00005', 5), toDecimal128('0.00005', 5)) as Decimal(38, 4))`

const amount = sql`if(${type} = 2, cast(ifNull(${number}, 0) as Decimal(38, 4)), ${amountOfText})`

/** The amounts of an event in the currency: of the same prefix, or of the next shorter one that has a currency. */
const amountsIn = (currency: string): Fragment => sql`arrayMap(
  property -> ${amount},
  arrayFilter(
    property -> (${type} = 2 or ${type} = 1 and ${isAmount}) and tupleElement(
      arrayFirst(currency -> startsWith(${prefix('revenue')}, tupleElement(currency, 1)), currencies), 2
    ) = upperUTF8(${text(currency)}),
    ${firstOfEachName(sql`named_revenue`)}))`

/**
 * The sales of the selected events in a currency, as a subquery, a row an event: `amount`, and the columns `created_at`,
 * `event_name`, `session_id`, `visit_id`, `country` and `region`. Filters are asked of the event itself.
 */
export function salesIn(currency: string, selection: Selection): Fragment {
  const columns = sql`created_at, event_name, session_id, visit_id, country, region`
  const mayHave = [isAction, hasNamed('revenue'), hasNamed('currency')]
  return sql`(
    select ${columns}, arraySum(amounts) as amount
    from (
      select ${columns}, ${amountsIn(currency)} as amounts
      from (
        select ${columns}, named_revenue, ${currencies} as currencies
        from (
          select ${columns}, ${propertiesNamed('revenue')} as named_revenue, ${propertiesNamed('currency')} as named_currency
          ${rows(customEvents, selection, mayHave)}
        )
      )
    )
    where notEmpty(amounts)
  )`
}

/** The same sales, a row a visit: `amount`, and `made`, a text of its landing; `views` is 0 if no view of it is shown. */
function salesByVisit(currency: string, selection: Selection, atItsLanding: Fragment): Fragment {
  const sales = salesIn(currency, selection)
  const isOfSale = sql`visit_id global in (select visit_id from ${sales})`
  return sql`(
    select sum(sold) as amount, sum(shown) as views, ${textBehind(sql`minIf(place, shown = 1)`)} as made
    from ${union([
      sql`select visit_id, amount as sold, 0 as shown, '' as place from ${sales}`,
      sql`
        select visit_id, toDecimal128(0, 4) as sold, 1 as shown, ${placed(atItsLanding)} as place
        ${shownViews(selection, isOfSale)}`,
    ])}
    group by visit_id
  )`
}

/** Sales with the foreign referrer of the landing of their visit, `referrer`. */
export const salesByReferrer = (currency: string, selection: Selection): Fragment =>
  sql`(select amount, made as referrer from ${salesByVisit(currency, selection, foreignReferrer)})`

/** Sales with the channel of their visit, `channel`. */
export const salesByChannel = (currency: string, selection: Selection): Fragment => {
  const visits = withChannel(sql`amount, views`, salesByVisit(currency, selection, channelText))
  return sql`(select amount, if(views = 0, 'Unknown', by_landing) as channel from (select amount, views, channel as by_landing from ${visits}))`
}
