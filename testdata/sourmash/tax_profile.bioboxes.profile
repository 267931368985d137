# Taxonomic Profiling Output
@SampleID:mix 1
@Version:0.10.0
@Ranks:superkingdom|phylum|class|order|family|genus|species|strain
@__program__:sourmash
@@TAXID	RANK	TAXPATH	TAXPATHSN	PERCENTAGE
10239	superkingdom	10239	Viruses	89.31
2	superkingdom	2	Bacteria	10.28
2731618	phylum	10239|2731618	Viruses|Uroviricota	65.59
2732408	phylum	10239|2732408	Viruses|Pisuviricota	23.71
3	phylum	2|3	Bacteria|Madeupota	10.28
2731619	class	10239|2731618|2731619	Viruses|Uroviricota|Caudoviricetes	65.59
2732506	class	10239|2732408|2732506	Viruses|Pisuviricota|Pisoniviricetes	23.71
4	class	2|3|4	Bacteria|Madeupota|Madeupia	10.28
464095	order	10239|2732408|2732506|464095	Viruses|Pisuviricota|Pisoniviricetes|Picornavirales	23.71
5	order	2|3|4|5	Bacteria|Madeupota|Madeupia|Madeupales	10.28
699189	family	10239|2732408|2732506|464095|699189	Viruses|Pisuviricota|Pisoniviricetes|Picornavirales|Iflaviridae	23.71
6	family	2|3|4|5|6	Bacteria|Madeupota|Madeupia|Madeupales|Madeupaceae	10.28
186765	genus	10239|2731618|2731619|||186765	Viruses|Uroviricota|Caudoviricetes|||Lambdavirus	65.59
232799	genus	10239|2732408|2732506|464095|699189|232799	Viruses|Pisuviricota|Pisoniviricetes|Picornavirales|Iflaviridae|Iflavirus	23.71
7	genus	2|3|4|5|6|7	Bacteria|Madeupota|Madeupia|Madeupales|Madeupaceae|Madeupa	10.28
10710	species	10239|2731618|2731619|||186765|10710	Viruses|Uroviricota|Caudoviricetes|||Lambdavirus|Lambdavirus lambda, or "phage lambda"	65.59
198112	species	10239|2732408|2732506|464095|699189|232799|198112	Viruses|Pisuviricota|Pisoniviricetes|Picornavirales|Iflaviridae|Iflavirus|Deformed wing virus	23.71
8	species	2|3|4|5|6|7|8	Bacteria|Madeupota|Madeupia|Madeupales|Madeupaceae|Madeupa|Madeupa prima	10.28
