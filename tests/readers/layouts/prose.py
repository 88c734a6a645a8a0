"""Paragraphs of the made-up pages, each as its sentences."""

from __future__ import annotations

PROSE = [
    line.strip().split(" | ")
    for line in """
The harbor board met on the second Tuesday of March to discuss the repair of the northern breakwater. | A storm in the previous winter had moved eleven of its stones, and the fishing boats could no longer enter at low tide. | The engineer presented three estimates, which differed mainly in the quality of the foundations. | Nobody wanted the cheapest one, because it would have to be renewed within a decade.
Most of the discussion concerned the transportation of the granite. | The quarry lies on the other side of the valley, and its only road crosses a wooden bridge that carries no more than seven tons. | Several members remembered that the military had once strengthened the bridge with temporary supports. | Their documentation could not be found in the municipal archive.
Afterwards the treasurer explained how the construction should be financed. | The province contributes forty percent of the expenses, provided that the application arrives before the end of the summer. | A long-term loan would cover the remainder, and the harbor fees would increase by a quarter for twelve years. | The owners of small sailing boats protested against this arrangement.
Our measurements began in the spring of 2014 at nineteen stations along the river. | Each instrument recorded the temperature, the concentration of oxygen and the speed of the current every thirty minutes. | Batteries had to be replaced more frequently than the manufacturer had promised. | We therefore visited every station twice a month, also during the winter.
The observations show a gradual warming of the lower river. | In the upper valley the temperature remained practically unchanged, presumably because the forests there were left untouched. | Wherever the banks had been cleared for agriculture, the water was between one and two degrees warmer. | Fishermen had described the same difference many years before us.
Statistical comparisons of this kind require considerable caution. | Neighboring stations influence one another, so that their values are not independent. | We repeated the calculation with every station left out in turn, and the result was always nearly identical. | Only the exclusion of the two southernmost stations made the difference insignificant.
Margaret inherited the printing house from her grandmother in the year of the great fire. | She knew nothing about typesetting, but she understood customers and could remember every invoice. | Within eighteen months the workshop produced handbills, calendars and a weekly newspaper. | Its circulation soon exceeded that of the established competitor across the square.
The newspaper owed its popularity to an unusual correspondent. | An anonymous gentleman sent descriptions of imaginary journeys, and the readers believed every word of them. | When he reported that whales had been seen in the reservoir, hundreds of people gathered on the embankment. | Margaret never revealed his name, not even to her own sister.
Years later a student discovered the manuscripts in a cupboard behind the staircase. | The handwriting resembled that of the mayor, who had publicly complained about the invented stories. | A comparison with his official correspondence removed the last doubts. | The town named a small fountain after the whale, and nobody was offended.
Beekeepers in the district have lost fewer colonies since they began to cooperate. | They exchange observations every Sunday evening and treat all hives in the same week. | A well-known laboratory examines the samples without charge. | In return the association publishes its records, which are among the most complete in the country.
The weather remains the greatest uncertainty. | A warm February persuades the bees to leave their hives, and a frost in April then destroys the blossoms. | Experienced keepers provide additional nourishment in such years. | Others have planted willows near their gardens, since these flower before anything else.
Visitors are surprised by the silence of the mountain railway. | Its electric motors return energy to the network whenever a train descends. | On an ordinary weekday three descending trains provide enough electricity for one that climbs. | The management calls this arrangement a perpetual seesaw, although friction takes its share.
The railway employs forty-two people, most of whom live in the villages along the track. | Conductors also deliver parcels, medicine and, on Saturdays, fresh bread. | An attempt to replace them by machines was abandoned after a single season. | Passengers had complained less about the prices than about the absence of conversation.
Translating a cookbook is harder than it appears. | Ingredients that are common in one region may be unavailable in another, and measurements seldom correspond. | The translator tested all two hundred recipes in her own kitchen. | She replaced eleven of them because her neighbors refused to finish their plates.
The second edition contains an alphabetical index and a chapter about preserving vegetables. | Critics praised the photographs, which were taken in daylight without any decoration. | A restaurant in the capital offers the complete menu once a year. | Reservations for the evening are distributed by lottery.
Nothing in the agreement prevents the tenants from improving the courtyard. | They may plant trees, provided that the underground pipes remain accessible. | Expenses above five hundred crowns must be announced to the administration in advance. | The administration answers within three weeks, otherwise permission is considered granted.
Children were the first to understand the new signals at the crossing. | They had practiced with cardboard models at school and corrected their parents in the street. | The number of dangerous situations fell by more than half within a year. | Neighboring communities have requested the drawings and the teaching materials.
The orchestra rehearses in a former waterworks at the edge of the park. | Its circular hall has an echo that lasts for almost four seconds. | Composers have written pieces especially for this building, and they sound curiously empty elsewhere. | The musicians heat the hall with a stove that they purchased from a bakery.
""".strip().splitlines()
]
"""Paragraphs about a few things that nobody did."""

NOTES = [
    "The estimates are printed in the appendix to the minutes of the meeting.",
    "A ton is taken here as one thousand kilograms.",
    "The archive was moved to the cellar of the library in 1987.",
    "The application consists of nine forms and a map.",
    "Two stations were destroyed by ice and later rebuilt.",
]
