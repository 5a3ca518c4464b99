/// The classes, alphabetically, one a line: identifier, WordNet 3.0 offsets, parents (lines, from 0), outputs of the
/// networks, other names. Made by Training/Scene/taxonomy.py; change that or its edits, not this.
let sceneTaxonomyTable = #"""
    abacus	02666196	771	398	
    abaya	02667093	1061	399	
    academic_gown	02669723	304	400	academic robe, judge's robe
    accordion	02672831	517 699	401	piano accordion, squeeze box
    acorn	12267677	1126	988	
    acorn_squash	07717410	1442	941	
    acoustic_guitar	02676566	599	402	
    adhesive_bandage	02786058	88	419	band aid
    admiral_butterfly	02276258	222	321	admiral
    adult	10148035+09835506+10565667	937	981 982 983	
    affenpinscher	02110627	959	252	monkey pinscher, monkey dog
    afghan_hound	02088094	653	160	afghan
    african_chameleon	01694178	274	47	chamaeleo chamaeleon
    african_crocodile	01697457	369	49	nile crocodile, crocodylus niloticus
    african_elephant	02504458	460	386	loxodonta africana
    african_grey_parrot	01817953	918	87	african grey, african gray, psittacus erithacus
    african_wild_dog	02116738	1433	275	african hunting dog, hyena dog, cape hunting dog, lycaon pictus
    agama	01687978	18	42	
    agamid	01687665	754		agamid lizard
    agaric_mushroom	12998815	526	992	agaric
    aircraft	02686568	1376		
    aircraft_carrier	02687172	1399	403	carrier, flattop, attack aircraft carrier
    airedale_terrier	02096051	1291	191	airedale
    airliner	02690373	24	404	
    airplane	02691156	20		aeroplane, plane
    airplane_wing	04592741		908	wing
    airship	02692877	20	405	dirigible
    alaskan_malamute	02110063	1166	249	malamute, malemute
    albatross	02058221	1120	146	mollymawk
    alcoholic_drink	07884567	429		alcohol, alcoholic beverage, intoxicant, inebriant
    alligator	01698434	370		gator
    alligator_lizard	01689811	754	44	
    alpine_mountain	09193705	848	970	alp
    ambulance	02701002	242	407	
    american_alligator	01698640	30	50	alligator mississipiensis
    american_black_bear	02133161	111	295	black bear, ursus americanus, euarctos americanus
    american_coot	02018207	1028	137	marsh hen, mud hen, water hen, fulica americana
    american_lobster	01983481	758	122	northern lobster, maine lobster, homarus americanus
    american_robin	01558993	1300	15	robin, turdus migratorius
    american_staffordshire_terrier	02093428	210	180	staffordshire terrier, american pit bull terrier, pit bull terrier
    amphibian	01627424	1379		
    amphibious_vehicle	02704792	845	408	amphibian
    analog_clock	02708093	301	409	
    angora_rabbit	02328150	1023	332	angora
    animal	00015388			animate being, beast, brute, creature, fauna
    anole	01682714	664	40	american chameleon, anolis carolinensis
    ant	02219486	120	310	emmet, pismire
    antelope	02419796	176		
    anthozoan	01914163	307		actinozoan
    ape	02470325	1002		
    appenzeller_sennenhund	02107908	1128	240	appenzeller
    apple	07739125	524		
    apron	02730930	304	411	
    aquatic_bird	01844917	140		
    arabian_camel	02437312	229	354	dromedary, camelus dromedarius
    arachnid	01769347	62		arachnoid
    arch	02733524	1251		
    archery_bow	02879718	1412	456	bow
    arctic_fox	02120079	514	279	white fox, alopex lagopus
    armadillo	02454379	781	363	
    armor	02739668			armour
    armored_vehicle	02740533	1423		armoured vehicle
    arthropod	01767661	673		
    artichoke	07718747	1375	944	globe artichoke
    assault_rifle	02749479	490	413	assault gun
    atm	02977058	771	480	cash machine, cash dispenser, automated teller machine, automatic teller machine, automated teller, automatic teller
    audio_equipment	02757462	459		audio system, sound system
    australian_kelpie	02105412	1136	227	kelpie
    australian_terrier	02096294	1291	193	
    ax	02764044	383		axe
    axolotl	01632777	1087	29	mud puppy, ambystoma mexicanum
    baboon	02486410	882	372	
    baby_bed	02766320	530		baby's bed
    baby_bottle_nipple	03825788		680	nipple
    backpack	02769748	76	414	back pack, knapsack, packsack, rucksack, haversack
    badger	02447366	856	362	
    bag	02773037	338		
    bagel	07693725	191	931	beigel
    baguette	07684084	756	930	french loaf
    baked_goods	07622061	506		
    bakery	02776631	1243	415	bakeshop, bakehouse
    balance_beam	02777292	603	416	beam
    bald_eagle	01614925	442	22	american eagle, haliaeetus leucocephalus
    baleen_whale	02063224	1420		whalebone whale
    ball	02778669	534		
    balloon	02782093	20	417	
    ballpoint_pen	02783161	933	418	ballpoint, ballpen, biro
    banana	07753592	524	954	
    bandage	02785648	799		patch
    banded_gecko	01675722	545	38	
    banister	02788148	98	421	bannister, balustrade, balusters, handrail
    banjo	02787622	1250	420	
    barbell	02790996	602	422	
    barber_chair	02791124	273	423	
    barbershop	02791270	1243	424	
    barn	02793495	478	425	
    barn_spider	01773549	1206	73	araneus cavaticus
    barometer	02794156	797	426	
    barrier	02796623	1251		
    baseball	02799071	84 1219	429	
    basenji	02110806	414	253	
    basket	02801938	338		handbasket
    basketball	02802426	84 1219	430	
    basset_hound	02088238	653	161	basset
    bassinet	02804414	72	431	
    bassoon	02804610	422	432	
    bath_towel	02808304	1328	434	
    bathing_cap	02807133	240	433	swimming cap
    bathtub	02808440	338	435	bathing tub, bath, tub
    beagle	02088364	653	162	
    beaker	02815834	685	438	
    bear	02131653	251		
    bearskin_hat	02817516	624	439	bearskin, busby, shako
    beaver	02363005	1067	337	
    bed	02818832	117		
    bedding	02820210			bedclothes, bed clothing
    bedlington_terrier	02093647	1291	181	
    bedroom_furniture	02821943	530		
    bee	02206856	120	309	
    bee_eater	01828970	140	92	
    bee_or_ant	02206270	671		hymenopterous insect, hymenopteran, hymenopteron, hymenopter
    beehive	02727426	1133	410	apiary, bee house
    beer_bottle	02823428	173	440	
    beer_glass	02823750	430	441	
    beetle	02164464	671		
    belgian_malinois	02105162	126	225	malinois
    belgian_shepherd	02104882	1136		belgian sheepdog
    bell_pepper	07720875	938	945	
    bell_tower	02825657	1135	442	bell cote, bell cot
    belt	02827606	304		
    bench	02828884	1124		
    bernese_mountain_dog	02107683	1128	239	
    berry	07742704	524		
    bib	02834397	473	443	
    bicycle	02834778	1423		bike, wheel, cycle
    big_cat	02127808	482		cat
    bighorn_sheep	02415577	1134 1434	349	bighorn, cimarron, rocky mountain bighorn, rocky mountain sheep, ovis canadensis
    bikini	02837789	1267	445	two-piece
    binder	02840245		446	ring-binder
    binoculars	02841315	885	447	field glasses, opera glasses
    bird	01503061	1379		
    bird_of_prey	01604330	140		raptor, raptorial bird
    birdhouse	02843684	1135	448	
    bison	02410509	176	347	
    bittern	02011460	636	133	
    black_and_tan_coonhound	02089078	344	165	black-and-tan coonhound
    black_footed_ferret	02443484	856	359	black-footed ferret, ferret, mustela nigripes
    black_grouse	01795545	594	80	
    black_stork	02002724	1244	128	ciconia nigra
    black_swan	01860187	1263	100	cygnus atratus
    black_widow_spider	01774384	1206	75	black widow, latrodectus mactans
    blind	02851099			screen
    bloodhound	02088466	653	163	sleuthhound
    bluetick_coonhound	02088632	653	164	bluetick
    boa	01741943	336		
    boa_constrictor	01742172	154	61	constrictor constrictor
    boat	02858304	1410		
    boat_dock	03216828	1251	536	dock, dockage, docking facility
    boathouse	02859443	1133	449	
    bobsled	02860847	1165	450	bobsleigh, bob
    body_armor	02862048	60		body armour, suit of armor, suit of armour, coat of mail, cataphract
    bolete_mushroom	13054560	526	997	bolete
    bolo_tie	02865351	860	451	bolo, bola tie, bola
    bonnet	02869837	624	452	poke bonnet
    bony_fish	02514825	492		
    book_cover	07248320	1011	921	book jacket, dust cover, dust jacket, dust wrapper
    bookcase	02870880	530	453	
    bookstore	02871525	1243	454	bookshop, bookstall
    boot	02872752	508		
    border_collie	02106166	1136	232	
    border_terrier	02093754	1291	182	
    borzoi	02090622	1448	169	russian wolfhound
    boston_terrier	02096585	1291	195	boston bull
    bottle	02876657	338		
    bottle_cap	02877765		455	bottlecap
    bouvier_des_flandres	02106382	1136	233	bouviers des flandres
    bovid	02401031	1080		
    bovine	02402010	176		
    bow_tie	02883205	860	457	bow-tie, bowtie
    bowed_stringed_instrument	02880546	1250		string
    bowl	02880940	408		
    box	02883344	338		
    box_turtle	01669191	1360	37	box tortoise
    boxer_dog	02108089	1454	242	boxer
    bra	02892767	1364	459	brassiere, bandeau
    brain_coral	01917289	345	109	
    brake	02889425			
    brambling	01530575	487	10	fringilla montifringilla
    brass_instrument	02891788	1436		brass
    brass_plaque	02892201	838	458	brass, memorial tablet, plaque
    bread	07679356	79		breadstuff, staff of life
    bread_roll	07680932	190		bun, roll
    breakwater	02894605	98	460	groin, groyne, mole, bulwark, seawall, jetty
    breastplate	02895154	60	461	aegis, egis
    breathing_apparatus	02895606			breathing device, breathing machine, ventilator
    briard	02105251	1136	226	
    bridge	02898711	1251		span
    brittany_spaniel	02101388	1203	215	
    broccoli	07714990	1375	937	
    broom	02906734	295	462	
    brown_bear	02132136	111	294	bruin, ursus arctos
    brush	02908217	1321		
    brussels_griffon	02112706	414	262	brabancon griffon
    bubble	09229709		971	
    bucket	02909870	338	463	pail
    buckle	02910353	480	464	
    buffalo	02407959	176		old world buffalo
    building	02913152	1251		edifice
    building_dome	03220513	1068	538	dome
    bulbul	01560419	1300	16	
    bull_terrier	02093056	1291		bullterrier
    bulldog	02108672	1454		english bulldog
    bullet_train	02917067	922	466	bullet
    bulletproof_vest	02916936	160 1380	465	
    bullfrog	01641577	522	30	rana catesbeiana
    bullmastiff	02108422	1454	243	bull mastiff
    bunting	01537134	487		
    burrito	07880968	1000	965	
    bus	02924116	1010		autobus, coach, charabanc, double-decker, jitney, motorbus, motorcoach, omnibus, passenger vehicle
    business_suit	04350905	538	834	suit, suit of clothes
    bustard	02018795	1391	138	
    butcher_shop	02927161	1243	467	meat market
    butterfly	02274259	671		
    butterfly_fish	02605316	164		
    butternut_squash	07717556	1442	942	
    cabbage	07713895	1375		chou
    cabbage_butterfly	02280649	1428	324	
    cabinet	02933112	530		
    cairn_terrier	02096177	1291	192	cairn
    camel	02437136	471		
    camera	02942699	947		photographic camera
    camera_lens_cap	03657121	947	622	lens cap, lens cover
    camping_tent	03792972	1289	672	mountain tent
    can_opener	02951585	884	473	tin opener
    canadian_inuit_dog	02109961	1454	248	husky
    candle	02948072	726	470	taper, wax light
    candy_store	03089624	1243	509	confectionery, confectionary
    canine	02083346	251		canid
    cannon	02950826	601	471	
    canoe	02951358	1175	472	
    cap	02954340	629		
    capuchin_monkey	02492035	863	378	capuchin, ringtail, cebus capucinus
    car	02958343	845		auto, automobile, machine, motorcar
    car_grille	03459775	98	581	grille, radiator grille
    car_mirror	02965783	823	475	
    car_wheel	02974003	1421	479	
    carbonara	07831146	923	959	
    cardigan	02963159	1264	474	
    cardigan_welsh_corgi	02113186	348	264	cardigan
    cardoon	07730033	1375	946	
    cargo_ship	02965300	1140		cargo vessel
    carnivore	02075296	781		
    carousel	02966193	1056	476	carrousel, merry-go-round, roundabout, whirligig
    carpenters_plane	03954731	383 614	726	plane, carpenter's plane, woodworking plane
    cart	02970849	1393		
    cartilaginous_fish	01480516	492		chondrichthian
    carton	02971356	181	478	
    cassette	02978881	338	481	
    cassette_player	02979186	459	482	
    castle	02980441	510	483	
    cat	02121620	482		true cat
    catamaran	02981792	1084	484	
    cattle	02402425	177		cows, kine, oxen, bos taurus
    cauldron	02939185	342	469	caldron
    cauliflower	07715103	1375	938	
    cd_player	02988304	459	485	
    cello	02992211	179	486	violoncello
    centipede	01784675	62	79	
    cephalopod	01968315	831		cephalopod mollusk
    cetacean	02062430	785		cetacean mammal, blower
    chain_mail	03000247	160	490	ring mail, mail, chain armor, chain armour, ring armor, ring armour
    chain_saw	03000684	1098	491	chainsaw
    chainlink_fence	03000134	483	489	
    chair	03001627	1124		
    chameleon	01693783	754		chamaeleon
    cheeseburger	07697313	609	933	
    cheetah	02130308	135	293	chetah, acinonyx jubatus
    chesapeake_bay_retriever	02099849	1051	209	
    chest_of_drawers	03015254	530		chest, bureau, dresser
    chickadee	01592084	1315	19	
    chiffonier	03016953	278	493	commode
    chihuahua	02085620	1331	151	
    chime	03017168	939	494	bell, gong
    chimpanzee	02481823	575	367	chimp, pan troglodytes
    china_cabinet	03018349	227	495	china closet
    chiton	01955084	831	116	coat-of-mail shell, sea cradle, polyplacophore
    chocolate_sauce	07836838	1097	960	chocolate syrup
    chow_chow	02112137	1213	260	chow
    christmas_stocking	03026506	1240	496	
    church	03028079	967	497	church building
    church_altar	02699494	1251	406	altar
    church_vestment	04532106	304	887	vestment
    cicada	02256656	671	316	cicala
    cinema	03032252	1293	498	movie theater, movie theatre, movie house, picture palace
    citrus_fruit	07747055	524		citrus, citrous fruit
    cleaning_implement	03039947	1321		cleaning device, cleaning equipment
    clear_soup	07584110	1197	925	consomme
    cleaver	03041632	712	499	meat cleaver, chopper
    cliff	09246464	728	972	drop, drop-off
    cliff_dwelling	03042490	441	500	
    cloak	03045337+03045698	895	501	
    clock	03046257	1310		
    clog_shoe	03047690	508	502	clog, geta, patten, sabot
    clothes_iron	03584829	641	606	iron, smoothing iron
    clothing	03051540			article of clothing, vesture, wear, wearable, habiliment
    clownfish	02607072	388	393	anemone fish
    clumber_spaniel	02101556	1203	216	clumber
    cnidarian	01909422	673		coelenterate
    coat	03057021	895		
    cobra	01747885	453		
    cockatoo	01819115	918		
    cocker_spaniel	02102318	1203	219	english cocker spaniel, cocker
    cockroach	02233338	671	314	roach
    cocktail_shaker	03062245	1131	503	
    coffee	07929519	429		java
    coffee_maker	03063338	708		
    coffee_mug	03063599	853	504	
    coffeepot	03063689	342	505	
    coho_salmon	02536864	1088	391	coho, cohoe, blue jack, silver salmon, oncorhynchus kisutch
    coin_operated_machine	04243941	771		slot machine, coin machine
    collie	02106030	1136	231	
    colobus_monkey	02488702	882	375	colobus
    colubrid	01727646	1179		colubrid snake
    column	03074380	1251		pillar
    combination_lock	03075370	759	507	
    combine_harvester	03496892	479	595	harvester, reaper
    comic_book	06596364	772	917	
    common_newt	01630670	865	26	triturus vulgaris
    compass	03706229		635	magnetic compass
    computer	03082979	771		computing machine, computing device, data processor, electronic computer, information processing system
    computer_keyboard	03085013	670 698	508	keypad
    computer_monitor	03782006	412	664	monitor
    computer_mouse	03793489	670	673	mouse
    computer_peripheral	03916720	459		peripheral, peripheral device
    conch	01943899	542	112	
    condiment	07810907	506		
    constrictor	01741562	1179		
    construction_crane	03126707	771	517	crane
    container	03094503			
    container_ship	03095699	250	510	containership, container vessel
    convertible_car	03100240	242	511	convertible
    cooking_pan	03880531	343		pan
    cooking_pot	03990474	338 343		pot
    cookware	03101986	709		cooking utensil
    coonhound	02088839	653		
    coral	01915811	48		
    coral_fungus	12985857	526	991	
    coral_reef	09256479	1045	973	
    corgi	02112826	414		welsh corgi
    corkscrew	03109150	884	512	bottle screw
    corn	12144580	571 1375	987	
    cornet_horn	03110669	188	513	cornet, horn, trumpet, trump
    corvine_bird	01578575	1195		
    cosmetic	03113152	1320		
    costume_mask	03724870	304	643	mask
    cottontail_rabbit	02325366	1023	330	wood rabbit, cottontail
    coucal	01824575	375	91	
    cougar	02125311	1435	286	puma, catamount, mountain lion, painter, panther, felis concolor
    cowboy_boot	03124043	168	514	
    cowboy_hat	03124170	624	515	ten-gallon hat
    coyote	02114855	1446	272	prairie wolf, brush wolf, canis latrans
    crab	01976957	391		
    cradle	03125729	72	516	
    crane	02012849	1391	134	
    crash_helmet	03127747	632	518	
    crayfish	01985128	391	124	crawfish, crawdad, crawdaddy
    crib	03131574	72	520	cot
    cricket	02229544	574	312	
    crockery	03133538	1274		dishware
    crocodile	01697178	370		
    crocodilian	01696633	1049		crocodilian reptile
    croquet_ball	03134739	84 1219	522	
    crossword_puzzle	06785654	1018	918	crossword
    crustacean	01974773	62		
    crutch	03141823	799	523	
    cuckoo	01823013	140		
    cucumber	07718472	1375	943	cuke
    cuirass	03146219	160	524	
    curly_coated_retriever	02099429	1051	206	curly-coated retriever
    curtain	03151077	151 529		drape, drapery, mantle, pall
    cushion	03151500			
    custard_apple	07760859	524	956	
    cutlery	03153375	1274		eating utensil
    cutting_tool	03154073	1321		cutter, cutlery
    cyprinid	01439121	164		cyprinid fish
    daisy	11939491	501	985	
    dalmatian	02110341	414	251	coach dog, carriage dog
    dam	03160309	98	525	dike, dyke
    damselfish	02606384	164		demoiselle
    damselfly	02268853	426	320	
    dandie_dinmont_terrier	02096437	1291	194	dandie dinmont
    decapod_crustacean	01976146	373		decapod
    decoration	03169390			ornament, ornamentation
    desk	03179701	1272	526	
    desktop_computer	03180011	942	527	
    dessert	07609840	506		sweet, afters
    dhole	02115913	1433	274	cuon alpinus
    dial_telephone	03187595	1284	528	dial phone
    diamondback_rattlesnake	01755581	1034	67	diamondback, crotalus adamanteus
    diaper	03188531	538	529	nappy, napkin
    digital_clock	03196217	301	530	
    digital_watch	03197337	1403	531	
    dingo	02115641	1433	273	warrigal, warragal, canis dingo
    dining_table	03201208	1272	532	board
    dinosaur	01699831	1049		
    dip	07582609	335		
    dipper_bird	01601694	1195	20	water ouzel, dipper
    disc_brake	03208938	186	535	disk brake
    dish	03206908	338 368		
    dish_cloth	03207743	473	533	dishrag, dishcloth
    dish_rack	03961711	1251	729	plate rack
    dishwasher	03207941	641	534	dish washer, dishwashing machine
    display_screen	03211117	459		display, video display
    doberman_pinscher	02107142	959	236	doberman
    dog	02084071	237 418		domestic dog, canis familiaris
    dog_muzzle	03803284		676	muzzle
    dogsled	03218198	1165	537	dog sled, dog sleigh
    dolphin	02068974	1323		
    domestic_animal	01317541	44		domesticated animal
    domestic_cat	02121808	260 418		house cat, felis domesticus, felis catus
    door	03221720	98		
    doormat	03223299	792	539	welcome mat
    double_reed_instrument	03228016	1044		double-reed instrument, double reed
    dough	07860988	506	961	
    dowitcher	02033041	1180	142	
    dragonfly	02268443	426	319	darning needle, devil's darning needle, sewing needle, snake feeder, snake doctor, mosquito hawk, skeeter hawk
    dragonfly_or_damselfly	02268148	671		odonate
    dress	03236735	304		frock
    drill	03239726	1321		
    drink	07881800	506		beverage, drinkable, potable
    drinking_glass	03438257	338		glass
    drinking_vessel	03241496	338		
    drum	03249569	939	541	membranophone, tympan
    drumstick	03250847		542	
    duck	01846331	1411		
    dugong	02074367	1114	149	dugong dugon
    dumbbell	03255030	602	543	
    dung_beetle	02172182	1101	305	
    dungeness_crab	01978287	361	118	cancer magister
    dunlin	02027492	1094	140	red-backed sandpiper, erolia alpina
    dutch_oven	03259280	896	544	
    dwelling	03259505	1251		home, domicile, abode, habitation, dwelling house
    eagle	01613294	141		bird of jove
    ear_of_corn	13133613	350	998	ear, spike, capitulum
    eared_seal	02076779	1121		
    earthstar_mushroom	13044778	526	995	earthstar
    echidna	01872401	837	102	spiny anteater, anteater
    echinoderm	02316707	673		
    eel	02526121	164	390	
    eft	01631663	865	27	
    eggnog	07932039	826	969	
    egret	02008796	636		
    egyptian_cat	02124075	419	285	
    elapid	01745125	1179		elapid snake
    electric_fan	03271574	477	545	blower
    electric_guitar	03272010	599	546	
    electric_locomotive	03272562	760	547	
    electric_ray	01496331	1035	5	crampfish, numbfish, torpedo
    electric_switch	04372370		844	switch, electrical switch
    electronics	03278248			electronic equipment
    elephant	02503517	781		
    english_foxhound	02089973	516	167	
    english_setter	02100735	1129	212	
    english_springer_spaniel	02102040	1223	217	english springer
    entertainment_center	03290653	530	548	
    entlebucher_sennenhund	02108000	1128	241	entlebucher
    envelope	03291819	338	549	
    equine	02374149	876		equid
    espresso	07920052	314	967	
    espresso_maker	03297495	315	550	
    european_fire_salamander	01629819	1087	25	salamandra salamandra
    even_toed_ungulate	02394477	1365		even-toed ungulate, artiodactyl, artiodactyl mammal
    eyeglasses	04272054	885		spectacles, specs, glasses
    fabric	03309808			cloth, material, textile
    face_powder	03314780	777	551	
    factory	03316406	1251		mill, manufacturing plant, manufactory
    false_morel	13037406	526	993	gyromitra
    fan	03320046	641		
    farm_building	03322570	207		
    farm_machine	03322940	771		
    fastener	03323703			fastening, holdfast, fixing
    feather_boa	03325584	1102	552	boa
    feline	02120997	251		felid
    fence	03327234	98		fencing
    fiddler_crab	01980166	361	120	
    fig	07753113	524	952	
    file_cabinet	03337140	878	553	file, filing cabinet
    finch	01529672	1195		
    fire_engine	03345487	1358	555	fire truck
    fire_screen	03347037		556	fireguard
    firearm	03343853	601		piece, small-arm
    fireboat	03344393	156	554	
    fish	02512053	1379		
    fishing_reel	04067472	1219	758	reel
    flagpole	03355925		557	flagstaff
    flamingo	02007558	1391	130	
    flat_coated_retriever	02099267	1051	205	flat-coated retriever
    flat_screen	04152593	412	782	screen, crt screen
    flatworm	01924916	1455	110	platyhelminth
    flightless_bird	01517565	140		ratite, ratite bird
    floor_covering	03366823			floor cover
    flower	11669921	969		
    flower_pot	03991062	338	738	pot, flowerpot
    flute	03372029	1453	558	transverse flute
    fly	02190166	671	308	
    folding_chair	03376595	273	559	
    food	00021265+07555863			nutrient, solid food
    football_helmet	03379051	632	560	
    footwear	03380867+03381126	304		footgear
    forklift	03384352	1423	561	
    fort	03385557	1251		fortification, munition
    fountain	03388043	1251	562	
    fountain_pen	03388183	933	563	
    four_poster_bed	03388549	114	564	four-poster
    fox	02118333	237		
    fox_squirrel	02356798	1225	335	eastern fox squirrel, sciurus niger
    foxhound	02089555	653		
    free_reed_instrument	03393324	1436		free-reed instrument
    freight_car	03393912	1029	565	
    french_bulldog	02108915	211	245	
    french_horn	03394916	188	566	horn
    frilled_lizard	01688243	18	43	chlamydosaurus kingi
    frog	01639765	40		toad, toad frog, anuran, batrachian, salientian
    frozen_dessert	07611358	395		
    fruit	07705931	1007		edible fruit
    frying_pan	03400231	341	567	frypan, skillet
    fungus	12992868			
    fur_coat	03404251	308	568	
    fur_stole	04325704	1102	824	stole
    furnishing	03405265			
    furniture	03405725	529		piece of furniture, article of furniture
    gallinaceous_bird	01789386	140		gallinacean
    gambling_slot_machine	04243546	319	800	slot, one-armed bandit
    game_bird	02153203	531		
    game_equipment	03414162			
    gar_fish	02641379	164	395	gar, garfish, garpike, billfish, lepisosteus osseus
    garbage_truck	03417042	1358	569	dustcart
    garden_tool	03418242	1321		lawn tool
    garment	03419014	304		
    garter_snake	01735189	322	57	grass snake
    gas_mask	03424325	790	570	gasmask, respirator, gas helmet
    gas_pump	03425413	1014	571	gasoline pump, petrol pump, island dispenser
    gastropod	01942177	831		univalve
    gate	03427296	98		
    gazelle	02423022	47	353	
    gecko	01674990	754		
    german_shepherd	02106662	1136	235	german shepherd dog, german police dog, alsatian
    german_shorthaired_pointer	02100236	978	210	german short-haired pointer
    geyser	09288635	728	974	
    giant_panda	02510455	1006	388	panda, panda bear, ailuropoda melanoleuca
    giant_schnauzer	02097130	1104	197	
    gibbon	02483362	740	368	hylobates lar
    gila_monster	01692333	754	45	heloderma suspectum
    glove	03441112	304		
    go_kart	03444034	845	573	go-kart
    goat	02416519	176		caprine animal
    goblet	03443371	430	572	
    golden_retriever	02099601	1051	207	
    goldfinch	01531178	487	11	carduelis carduelis
    goldfish	01443537	384	1	carassius auratus
    golf_ball	03445777	84 562	574	
    golf_cart	03445924	562 845	575	golfcart
    golf_equipment	03446832	1219		
    gondola_boat	03447447	156	576	gondola
    gong	03447721	939	577	tam-tam
    goose	01855672	1411	99	
    gordon_setter	02101006	1129	214	
    gorilla	02480855	575	366	gorilla gorilla
    gossamer_winged_butterfly	02281787	222	326	lycaenid, lycaenid butterfly
    gown	03450230	427	578	
    graduation_cap	03787032	240	667	mortarboard
    grain	12156819	1126		caryopsis
    grand_piano	03452741	948	579	grand
    grasshopper	02226429	574	311	hopper
    grasshopper_or_cricket	02226183	671		orthopterous insect, orthopteron, orthopteran
    great_ape	02480153	49		pongid
    great_dane	02109047	1454	246	
    great_egret	02009912	451	132	american egret, great white heron, egretta albus
    great_grey_owl	01622779	898	24	great gray owl, strix nebulosa
    great_pyrenees	02111500	414	257	
    great_white_shark	01484850	1132	2	white shark, man-eater, man-eating shark, carcharodon carcharias
    greater_swiss_mountain_dog	02107574	1128	238	
    green_apple	07742313	51	948	granny smith
    green_iguana	01677366	664	39	common iguana, iguana, iguana iguana
    green_lizard	01693334	754	46	lacerta viridis
    green_mamba	01749939	780	64	
    green_snake	01729977	322	55	grass snake
    greenhouse	03457902	207	580	nursery, glasshouse
    grey_fox	02120505	514	280	gray fox, urocyon cinereoargenteus
    grey_whale	02066245	83	147	gray whale, devilfish, eschrichtius gibbosus, eschrichtius robustus
    greyhound	02090827	653		
    grocery_store	03461385	1243	582	grocery, food market, market
    groenendael	02105056	126	224	
    ground_beetle	02167151	124	302	carabid beetle
    grouse	01795088	533		
    guacamole	07583066	405	924	
    guenon_monkey	02484975	882	370	guenon
    guillotine	03467068		583	
    guinea_pig	02364673	1067	338	cavia cobaya
    guitar	03467517	1250		
    guitar_pick	03929660		714	pick, plectrum, plectron
    gun	03467984	1412		
    gym_weight	04571292	1219		weight, free weight, exercising weight
    gymnastics_equipment	03472232	1219		gymnastic apparatus, exerciser
    gymnastics_high_bar	03535780	603	602	horizontal bar, high bar
    hair_clip	03476684	480	584	hair slide
    hair_dryer	03483316	641	589	hand blower, blow dryer, blow drier, hair drier
    hair_spray	03476991	1320	585	
    half_track_vehicle	03478589	814 1336	586	half track
    hamburger	07697100	1095		beefburger, burger
    hammer	03481172	614	587	
    hammerhead	01494475	1132	4	hammerhead shark
    hamper	03482405	101	588	
    hamster	02342885	1067	333	
    hand_tool	03489162	1321		
    handcart	03484083	1423		pushcart, cart, go-cart
    handheld_computer	03485407	990	590	hand-held computer, hand-held microcomputer
    handkerchief	03485794	473	591	hankie, hanky, hankey
    hard_disk	03492542	459	592	hard disc, fixed disk
    hare	02326432	723	331	
    harmonica	03494278	517	593	mouth organ, harp, mouth harp
    harp	03495258	1250	594	
    hartebeest	02422106	47	351	
    harvestman	01770081	55	70	daddy longlegs, phalangium opilio
    hat	03497657	629		chapeau, lid
    hatchet	03498962	69	596	
    hawk	01605630	141		
    hay	07802026		958	
    head_cabbage	07714571	225	936	
    headgear	03502509	304		headdress
    headland	09399592	728	976	promontory, head, foreland
    heater	03508101	641		warmer
    helmet	03513137	629		
    hen	01514859	531	8	
    hen_of_the_woods_mushroom	13052670	526	996	hen-of-the-woods, hen of the woods, polyporus frondosus, grifola frondosa
    hermit_crab	01986214	391	125	
    heron	02008041	1391		
    hippopotamus	02398521	471	344	hippo, river horse, hippopotamus amphibius
    hockey_puck	04019541	1219	746	puck
    hognose_snake	01729322	322	54	puff adder, sand viper
    holster	03527444		597	
    home_appliance	03528263			household appliance
    home_theater	03529860	1293	598	home theatre
    honeycomb	03530642	1251	599	
    hoop_skirt	03534580	1162	601	hoopskirt, crinoline
    hornbill	01829413	140	93	
    horned_viper	01753488	1385	66	cerastes, sand viper, horned asp, cerastes cornutus
    horse	02374451	467		equus caballus
    horse_cart	03538406	254	603	horse-cart
    horse_chestnut	12768682	1126	990	buckeye, conker
    hosiery	03540267	508		hose
    hot_dog	07697537	1095	934	hotdog, red hot
    hot_pot	07590611	1236	926	hotpot
    hound	02087551	659		hound dog
    hourglass	03544143	1310	604	
    house	03544360	207 441		
    house_finch	01532829	487	12	linnet, carpodacus mexicanus
    howler_monkey	02492660	863	379	howler
    hummingbird	01833805	140	94	
    hunting_dog	02087122	414		
    hyena	02117135	237	276	hyaena
    ibex	02417914	555	350	capra ibex
    ibizan_hound	02091244	653	173	ibizan podenco
    ice_cream	07614500	523	928	icecream
    iguanid	01676755	754		iguanid lizard
    impala	02422699	47	352	aepyceros melampus
    indian_cobra	01748264	309	63	naja naja
    indian_elephant	02504013	460	385	elephas maximus
    indigo_bunting	01537544	216	14	indigo finch, indigo bird, passerina cyanea
    indri_lemur	02500267	737	384	indri, indris, indri indri, indri brevicaudatus
    input_device	03163973	333		data input device
    insect	02159955	62		
    instant_camera	03976467	230	732	polaroid camera, polaroid land camera
    invertebrate	01905661	44		
    irish_setter	02100877	1129	213	red setter
    irish_terrier	02093991	1291	184	
    irish_water_spaniel	02102973	1203	221	
    irish_wolfhound	02090721	1448	170	
    isopod	01990800	373	126	
    italian_greyhound	02091032	590	171	
    jacamar	01843065	140	95	
    jack_o_lantern	03590841	730	607	jack-o'-lantern
    jackfruit	07754684	524	955	jak, jack
    jaguar	02128925	135	290	panther, panthera onca, felis onca
    japanese_chin	02085782	1331	152	japanese spaniel
    jar	03593526	338		
    jay	01580077	352	17	
    jeans	03594734	1357	608	jean, blue jean, denim
    jeep	03594945	242	609	landrover
    jellyfish	01910747	307	107	
    jewelry	03597469	392		jewellery
    jigsaw_puzzle	03598930	1018	611	
    joystick	03602883	670	613	
    jug	03603722	173		
    junco	01534433	487	13	snowbird
    kangaroo	01877134	788		
    keeshond	02112350	1213	261	
    kerry_blue_terrier	02093859	1291	183	
    keyboard	03614007			
    keyboard_instrument	03614532	855		
    keyboard_space_bar	04264628		810	space bar
    killer_whale	02071294	417	148	killer, orca, grampus, sea wolf, orcinus orca
    kimono	03617480	1061	614	
    king_charles_spaniel	02086646	1333	156	blenheim spaniel
    king_crab	01981276	361	121	alaska crab, alaskan king crab, alaska king crab, paralithodes camtschatica
    king_penguin	02056570	936	145	aptenodytes patagonica
    king_snake	01734418	322	56	kingsnake
    kit_fox	02119789	514	278	vulpes macrotis
    kitchen_appliance	03620052	641		
    kitchen_utensil	03621049	1369		
    kite_bird	01608432	626	21	kite
    knee_pad	03623198	304	615	
    knife	03623556	383		
    knot	03627232	480	616	
    koala	01882714	788	105	koala bear, kangaroo bear, native bear, phascolarctos cinereus
    komodo_dragon	01695060	835	48	komodo lizard, dragon lizard, giant lizard, varanus komodoensis
    komondor	02105505	1136	228	
    kuvasz	02104029	1404	222	
    lab_coat	03630383	308	617	laboratory coat
    labrador_retriever	02099712	1051	208	
    lacewing	02264363	671	318	lacewing fly
    ladle	03633091	338	618	
    ladybug	02165456	124	301	ladybeetle, lady beetle, ladybird, ladybird beetle
    lagomorph	02323449	781		gnawing mammal
    lakeland_terrier	02095570	1444	189	
    lakeshore	09332890	1148	975	lakeside
    lamp	03636248+03636649	530 745		
    lampshade	03637318	726	619	lamp shade
    landform	09287968			geological formation, formation
    langur_monkey	02488291	882	374	langur
    lantern	03640988	726		
    laptop	03642806	990	620	laptop computer
    lawn_mower	03649909	537	621	mower
    leaf_beetle	02169497	124	304	chrysomelid
    leafhopper	02259212	671	317	
    leatherback_turtle	01665541	1118	34	leatherback, leathery turtle, dermochelys coriacea
    lemon	07749582	294	951	
    lemur	02496913	1002		
    leonberger	02111129	414	255	leonberg
    leopard	02128385	135	288	panthera pardus
    lesser_ape	02483092	49		
    letter_opener	03658185	712	623	paper knife, paperknife
    lhasa_apso	02098413	1291	204	lhasa
    library	03661043	207	624	
    lifeboat	03662601	156	625	
    light_source	04263760			source of illumination
    lighter	03666591		626	light, igniter, ignitor
    lighthouse	02814860	1329	437	beacon, beacon light, pharos
    limousine	03670208	242	627	limo
    limpkin	02013706	1391	135	aramus pictus
    lion	02129165	135	291	king of beasts, panthera leo
    lionfish	02643566	164	396	
    lipstick	03676483	777	629	lip rouge
    little_blue_heron	02009229	636	131	egretta caerulea
    lizard	01674464	1049		
    llama	02437616	471	355	
    loaf_of_bread	07683786	190		loaf
    loafer_shoe	03680355	1143	630	loafer
    lobster	01982650	391		
    lock	03682487	480		
    locomotive	03684823	1340 1423		engine, locomotive engine, railway locomotive
    loggerhead_turtle	01664065	1118	33	loggerhead, caretta caretta
    long_horned_beetle	02168699	124	303	long-horned beetle, longicorn, longicorn beetle
    lorikeet	01820546	764	90	
    lory	01820348	918		
    lotion_bottle	03690938	1320	631	lotion
    loudspeaker	03691459	66	632	speaker, speaker unit, loudspeaker system, speaker system
    lumbermill	03697007	475	634	sawmill
    lynx	02127052	1435	287	catamount
    macaque	02487347	882	373	
    macaw	01818515	918	88	
    machine	03699975			
    magazine	06595351	1011		mag
    magnifying_glass	03692522	1107	633	loupe, jeweler's loupe
    magpie	01582220	352	18	
    mailbag	03709823	76	636	postbag
    mailbox	03710193	181	637	letter box
    makeup	03714235	353		make-up, war paint
    mallard	01847000	434	97	drake
    maltese_dog	02085936	1331	153	maltese terrier, maltese
    mamba	01749582	453		
    mammal	01861778	1379		mammalian
    manhole_cover	03717622		640	
    maraca	03720891	939	641	
    marimba	03721384	939	642	xylophone
    marine_mammal	02062017	781		aquatic mammal
    marmoset	02490219	863	377	
    marmot	02361337	1067	336	
    marsupial	01874434	781		pouched mammal
    mashed_potato	07711569	992	935	
    mask	03725035			
    mastiff	02108254	1454		
    mat	03727837	500		
    matchstick	03729826		644	
    maypole	03733131		645	
    maze	03733281		646	labyrinth
    measuring_cup	03733805	338	647	
    measuring_instrument	03733925			measuring system, measuring device
    meatloaf	07871810	756 1000	962	meat loaf
    medical_equipment	03739693			medical instrument
    medicine_chest	03742115	227	648	medicine cabinet
    meerkat	02138441	1386	299	mierkat
    megalith	03743016	838	649	megalithic structure
    menu	07565083		922	
    merganser	01854415	434		fish duck, sawbill, sheldrake
    metal_chain	02999410		488	chain
    metal_hook	03532672		600	hook, claw
    metal_nail	03804744	480	677	nail
    metal_screw	04153751	480	783	screw
    mexican_hairless_dog	02113978	414	268	mexican hairless
    microphone	03759954	66	650	mike
    microwave_oven	03761084	708	651	microwave
    military_tank	04389033	61 814 1336	847	tank, army tank, armored combat vehicle, armoured combat vehicle
    military_uniform	03763968	1367	652	
    military_vehicle	03764276	1376		
    milk_can	03764736	1312	653	
    miniature_pinscher	02107312	959	237	
    miniature_poodle	02113712	986	266	
    miniature_schnauzer	02097047	1104	196	
    minibus	03769881	218	654	
    miniskirt	03770439	1162	655	mini
    minivan	03770679	242 1372	656	
    mink	02442845	856	357	
    mirror	03773035			
    missile	03773504+04008634	1065 1412	657 744	projectile
    mitten	03775071	553	658	
    mixed_drink	07911371	29		
    mixing_bowl	03775546	180	659	
    mobile_home	03776460	1251 1339	660	manufactured home
    mobile_phone	02992529	1284	487	cellular telephone, cellular phone, cellphone, cell
    modem	03777754	459	662	
    mollusk	01940736	673		mollusc, shellfish
    monarch_butterfly	02279972	222	323	monarch, milkweed butterfly, danaus plexippus
    monastery	03781244	655	663	
    mongoose	02137549	1386	298	
    monitor_lizard	01694709	754		monitor, varan
    monkey	02484322	1002		
    monotreme	01871875	781		egg-laying mammal
    monument	03743902	1251		memorial
    mop	04367480	295	840	swab, swob
    moped	03785016	847	665	
    mortar_and_pestle	03786901	338	666	mortar
    mosque	03788195	967	668	
    mosquito_net	03788365		669	
    motor_scooter	03791053	847	670	scooter
    motor_vehicle	03791235	1423		automotive vehicle
    motorboat	03790230	156		powerboat
    motorcycle	03790512	845		bike
    mountain	09359803	728		mount
    mountain_bike	03792782	134	671	all-terrain bike, off-roader
    mousetrap	03794056		674	
    moving_van	03796401	1372	675	
    mud_turtle	01667114	1360	35	
    mug	03797390	431		
    mushroom	07734744	526 1375	947	
    musical_instrument	03800933			instrument
    mustelid	02441326	251		musteline mammal, musteline
    nautilus	01968897	268	117	chambered nautilus, pearly nautilus
    neck_brace	03814639	799	678	
    necklace	03814906	690	679	
    necktie	03815615	861		tie
    neckwear	03816005	538		
    nematode	01930112	1455	111	nematode worm, roundworm
    new_world_monkey	02489589	836		platyrrhine, platyrrhinian
    newfoundland_dog	02111277	414	256	newfoundland
    newt	01630284	1087		triton
    night_snake	01740131	322	60	hypsiglena torquata
    norfolk_terrier	02094114	1291	185	
    norwegian_elkhound	02091467	653	174	elkhound
    norwich_terrier	02094258	1291	186	
    notebook_computer	03832673	990	681	notebook
    nudibranch	01950731	542	115	sea slug
    obelisk	03837869	323	682	
    oboe	03838899	422	683	hautboy, hautbois
    ocarina	03840681	1436	684	sweet potato
    ocean_liner	03673027	921	628	liner
    odd_toed_ungulate	02373336	1365		odd-toed ungulate, perissodactyl, perissodactyl mammal
    odometer	03841143	797	685	hodometer, mileometer, milometer
    office_furniture	03842156	530		
    oil_filter	03843555		686	
    oil_rig	03240683	1251	540	drilling platform, offshore rig
    old_english_sheepdog	02105641	1136	229	bobtail
    old_world_monkey	02484473	836		catarrhine
    one_piece_swimsuit	03710721+03710637	1267	638 639	maillot, tank suit
    opener	03848348	614		
    optical_instrument	03852280			
    orange	07747607	294	950	
    orangutan	02480495	575	365	orang, orangutang, pongo pygmaeus
    orb_weaver_spider	01773797	1206	74	garden spider, aranea diademata
    orchid	12041446	501		orchidaceous plant
    oscilloscope	03857828	459	688	scope, cathode-ray oscilloscope, cro
    ostrich	01518878	499	9	struthio camelus
    otter	02444819	856	360	
    otterhound	02091635	653	175	otter hound
    outbuilding	03859280	207		
    outerwear	03863923	538		overgarment, outer garment
    oven	03862676	708		
    overskirt	03866082	1162	689	
    owl	01621127	141		bird of minerva, bird of night, hooter
    ox	02403003	262	345	
    oxcart	03868242	254	690	
    oxygen_mask	03868863	194 799	691	
    oystercatcher	02037110	1149	143	oyster catcher
    package	03871083	338		parcel
    paddle	03873416		693	boat paddle
    paddlewheel	03874293	1421	694	paddle wheel
    padlock	03874599	759	695	
    paintbrush	03876231	201	696	
    pajama	03877472	1168	697	pyjama, pj's, jammies
    palace	03877845	655	698	
    pan_flute	03884397	1436	699	panpipe, pandean pipe, syrinx
    paper	14974264			
    paper_towel	03887697	1328	700	
    papillon	02086910	1333	157	
    parachute	03888257	20	701	chute
    parallel_bars	03888605	603	702	bars
    park_bench	03891251	130	703	
    parking_meter	03891332	1311	704	
    parrot	01816887	140		
    partridge	01807496	944	86	
    passenger_railcar	03895866	1029	705	passenger car, coach, carriage
    passenger_ship	03896103	1140		
    passenger_train	03896233	1340		
    pasta_sauce	07838233	1097		spaghetti sauce
    patas_monkey	02486261	882	371	patas, hussar monkey, erythrocebus patas
    patio	03899768	1251	706	terrace
    pay_phone	03902125	1284	707	pay-phone, pay-station
    peacock	01806143	928	84	
    peafowl	01805801	945		bird of juno
    pedestal	03903868	1251	708	plinth, footstall
    pekingese	02086079	1331	154	pekinese, peke
    pelican	02051845	1120	144	
    pembroke_welsh_corgi	02113023	348	263	pembroke
    pen	03906997	1457		
    pencil_box	03908618	181	709	pencil case
    pencil_sharpener	03908714		710	
    penguin	02055803	1120		
    people	00007846			person, individual, someone, somebody, mortal, soul
    pepper	07720442	1375		
    percussion_instrument	03915437	855		percussive instrument
    perfume_bottle	03916031	1320	711	perfume, essence
    persian_cat	02123394	419	283	
    personal_computer	03918480	329		pc, microcomputer
    petri_dish	03920288	408	712	
    phasianid	01802721	533		
    pheasant	01803078	944		
    photocopier	03924679	771	713	
    photographic_equipment	03926148			
    piano	03928116	699 939 1250		pianoforte, forte-piano
    picket_fence	03930313	483	716	paling
    pickup_truck	03930630	1358	717	pickup
    pier	03933933	1251	718	
    pig	02395406	1268	341	hog, grunter, squealer, sus scrofa
    piggy_bank	03935335	338	719	penny bank
    pill_bottle	03937543	173	720	
    pillow	03938244	380	721	
    pineapple	07753275	524	953	ananas
    ping_pong_ball	03942813	84	722	ping-pong ball
    pinniped_mammal	02075927	785		pinniped, pinnatiped
    pinscher	02106966	1404		
    pinwheel	03944341	1421	723	
    pipe_organ	03854065	699 1436	687	organ
    pirate_ship	03947888	1140	724	pirate
    pistol	03948459	490		handgun, side arm, shooting iron
    pit_viper	01753959	1385		
    pitcher	03950228	338	725	ewer
    pizza	07873807	1000	963	pizza pie
    place_of_worship	03953416	207		house of prayer, house of god, house of worship
    planetarium	03956157	207	727	
    plant	00017222			flora, plant life
    plastic_bag	03958227	76	728	
    plated_meal	07579787	506	923	plate
    platform	03961939	1251		
    platypus	01873310	837	103	duckbill, duckbilled platypus, duck-billed platypus, ornithorhynchus anatinus
    playground_swing	04371774	1330	843	swing
    plover	02023341	1149		
    plow	03967562	1321	730	plough
    plunger	03970156	614	731	plumber's helper
    pointer	02099997	1217		spanish pointer
    polar_bear	02134084	111	296	ice bear, ursus maritimus, thalarctos maritimus
    pole	03976657		733	
    polecat	02443114	856	358	fitch, foulmart, foumart, mustela putorius
    police_van	03977966	1372	734	police wagon, patrol wagon, wagon, black maria
    pomegranate	07768694	524	957	
    pomeranian	02112018	1213	259	
    poncho	03980874	300	735	
    poodle	02113335	414		poodle dog
    pool_table	03982430	534 1272	736	billiard table, snooker table
    popsicle	07615774	523	929	ice lolly, lolly, lollipop
    porcupine	02346627	1067	334	hedgehog
    portable_computer	03985232	942		
    portable_media_player	03584254	66	605	ipod
    potato	07710616	1070		white potato, irish potato, murphy, spud, tater
    potpie	07875152	1000	964	
    potters_wheel	03992509	1421	739	potter's wheel
    power_drill	03995372	428 996	740	
    power_tool	03997484	771 1321		
    prairie_chicken	01798484	594	83	prairie grouse, prairie fowl
    prayer_rug	03998194	1077	741	prayer mat
    praying_mantis	02236044	671	315	mantis, mantid
    prepared_dish	07557434	506		dish
    pretzel	07695742	190	932	
    primate	02469914	781		
    printer	04004767	333 771	742	
    prison	04005630	1251	743	prison house
    proboscis_monkey	02489166	882	376	nasalis larvatus
    procyonid	02507649	251		
    produce	07705711	506		green goods, green groceries, garden truck
    projector	04009552	885	745	
    ptarmigan	01796340	594	81	
    public_transport	04019101			
    publication	06589574			
    pufferfish	02655020	164	397	puffer, blowfish, globefish
    pug	02110958	414	254	pug-dog
    pump	04021798			
    punching_bag	04023962	84	747	punch bag, punching ball, punchball
    purple_gallinule	02017213	53	136	european gallinule, porphyrio porphyrio
    purse	04026417	76	748	
    puzzle	04028315	534		
    python	01743605	154		
    quail	01806567	944	85	
    quill_pen	04033901	933	749	quill
    quilt	04033995	115	750	comforter, comfort, puff
    rabbit	02324045	723		coney, cony
    race_car	04037443	242	751	racer, racing car
    radiator	04040759	631	753	
    radio	04041544	459	754	wireless
    radio_telescope	04044716	1285	755	radio reflector
    rail_bird	02014941	1391		rail
    railcar	02959942	1340 1423		car, railway car, railroad car
    rain_barrel	04049303	338	756	
    raincoat	04049405	308		waterproof
    ram	02412080	1134	348	tup
    rapeseed_field	11879895	501 1126	984	rapeseed
    rattlesnake	01754876	964		rattler
    ray	01495701	255		
    recreational_vehicle	04065272	1423	757	rv, r.v.
    red_breasted_merganser	01855032	804	98	red-breasted merganser, mergus serrator
    red_fox	02119022	514	277	vulpes vulpes
    red_panda	02509815	1006	387	lesser panda, panda, bear cat, cat bear, ailurus fulgens
    red_wine	07892512	1440	966	
    red_wolf	02114712	1446	271	maned wolf, canis rufus, canis niger
    redbone_coonhound	02090379	653	168	redbone
    redshank	02028035	1094	141	tringa totanus
    reed_instrument	02817799	1453		beating-reed instrument, reed
    reef	09406793	728		
    reflex_camera	04069434	230	759	
    refrigerator	04070727	641	760	icebox
    remote_control	04074963	459	761	remote
    reptile	01661091	1379		reptilian
    restaurant	04081281	207	762	eating house, eating place, eatery
    retriever	02099029	1217		
    revolver	04086273	963	763	six-gun, six-shooter
    rhinoceros_beetle	02174001	1101	306	
    rhodesian_ridgeback	02087394	659	159	
    rickshaw	03599486	254	612	jinrikisha, ricksha
    ride	04088797			
    rifle	04090263	490	764	
    ring_tailed_lemur	02497673	737	383	madagascar cat, ring-tailed lemur, lemur catta
    ringlet_butterfly	02277742	222	322	ringlet
    ringneck_snake	01728920	322	53	ring-necked snake, ring snake
    robe	04097866	538		
    rock_beauty_fish	02606052	223	392	rock beauty, holocanthus tricolor
    rock_crab	01978455	361	119	cancer irroratus
    rock_python	01744401	1019	62	rock snake, python sebae
    rocket	04099429	1376		projectile
    rocking_chair	04099969	273	765	rocker
    rodent	02329401	781		gnawer
    roof	04105068	1251		
    rooster	01514668	531	7	cock
    root_vegetable	07710283	1375		
    rose_hip	12620546		989	hip, rosehip
    rotisserie	04111531	896	766	
    rottweiler	02106550	1136	234	
    rubber_eraser	04116512		767	rubber, pencil eraser
    ruddy_turnstone	02025239	975	139	arenaria interpres
    ruffed_grouse	01797886	594	82	partridge, bonasa umbellus
    rug	04118021	500 529		carpet, carpeting
    rugby_ball	04118538	84	768	
    ruler	04118776	797	769	rule
    ruminant	02399000	471		
    running_shoe	04120489	1143	770	
    safe	04125021	181	771	
    safety_pin	04127249	480	772	
    sailboat	04128499	1085		sailing boat
    sailing_vessel	04128837	1410		sailing ship
    saint_bernard	02109525	1454	247	st bernard
    salamander	01629276	40		
    salmon	02534734	164		
    saltshaker	04131690	1131	773	salt shaker
    saluki	02091831	653	176	gazelle hound
    samoyed	02111889	1213	258	samoyede
    sandal	04133789	1143	774	
    sandbar	09421951	728	977	sand bar
    sandpiper	02026059	1149		
    sandwich	07695965	1176		
    sarong	04136333	1162	775	
    sauce	07829412	335		
    saw	03996145	996		power saw, sawing machine
    saxophone	04141076	1044	776	sax
    scabbard	04141327		777	
    scarab_beetle	02171869	124		scarabaeid beetle, scarabaeid, scarabaean
    scarf	04143897	538		
    schipperke	02104365	1404	223	
    schnauzer	02096756	1291		
    school_bus	04146614	218	779	
    schooner	04147183	1085	780	
    scientific_instrument	04147495			
    scoreboard	04149813	1158	781	
    scorpion	01770393	55	71	
    scottish_deerhound	02092002	653	177	deerhound
    scottish_terrier	02097298	1291	199	scotch terrier, scottie
    screwdriver	04154565	614	784	
    sea_anemone	01914609	48	108	anemone
    sea_cow	02073250	785		sirenian mammal, sirenian
    sea_cucumber	02321529	447	329	holothurian
    sea_lion	02077923	444	150	
    sea_snake	01751748	1179	65	
    sea_turtle	01663401	1360		marine turtle
    sea_urchin	02319095	447	328	
    seabird	02021795	53		sea bird, seafowl
    seal	02076196	958		
    sealyham_terrier	02095889	1444	190	sealyham
    seashore	09428293	1148	978	coast, seacoast, sea-coast
    seat	04161981	530		
    seat_belt	04162706	129	785	seatbelt
    seed	13135832			
    semi_truck	04467665	1358	867	trailer truck, tractor trailer, trucking rig, rig, articulated lorry, semi
    sennenhund	02107420	1454		sennenhunde
    setter	02100399	1217		
    sewing_machine	04179913	641 771	786	
    shaker	04183329	338		
    shark	01482330	255		
    shed	04187547	894		
    sheep	02411705	176		
    shelter	04191943			
    shepherd_dog	02104523	1454		sheepdog, sheep dog
    shetland_sheepdog	02105855	1136	230	shetland sheep dog, shetland
    shield	04192698	60	787	buckler
    shih_tzu	02086240	1331	155	shih-tzu
    ship	04194289	1410		
    shipwreck	04606251	1140	913	wreck
    shirt	04197391	538		
    shoe	04199027	508		
    shoe_store	04200800	1243	788	shoe shop, shoe-shop
    shoji	04201297	420	789	
    shopping_basket	04204238	101	790	
    shopping_cart	04204347	615	791	
    shore	09433442	728		
    shorebird	02022684	1391		shore bird, limicoline bird
    shovel	04208210	614	792	
    shower_cap	04209133	240	793	
    shower_curtain	04209239	379	794	
    shrine	04210390	967		
    siamang	02483708	740	369	hylobates syndactylus, symphalangus syndactylus
    siamese_cat	02123597	419	284	siamese
    siberian_husky	02110185	1166	250	
    sidewinder_rattlesnake	01756291	1034	68	sidewinder, horned rattlesnake, crotalus cerastes
    signboard	04217882	1251		sign
    silky_terrier	02097658	1291	201	sydney silky
    sink	04553703	338	896	washbasin, handbasin, washbowl, lavabo, wash-hand basin
    ski_mask	04229816	790	796	
    skirt	04230808	538		
    skis	04228054	1219	795	ski
    skunk	02445715	856	361	polecat
    sled	04235291	1376		sledge, sleigh
    sled_dog	02109811	1454		sledge dog
    sleeping_bag	04235860	76	797	
    sleepwear	03825080	304		nightwear, nightclothes
    slide_rule	04238763		798	slipstick
    sliding_door	04239074	420	799	
    sloth	02456962	781		tree sloth
    sloth_bear	02134418	111	297	melursus ursinus, ursus ursinus
    slow_cooker	03133878	343	521	crock pot
    slug	01945685	542	114	
    small_boat	04244997	156		
    snack_food	07712382	1000		
    snack_packet	03871628	903	692	packet
    snail	01944390	542	113	
    snake	01726692	1049		serpent, ophidian
    snipe	02031934	1149		
    snoek	02514041	492	389	barracouta
    snorkel	04251144	194	801	
    snow_leopard	02128757	135	289	ounce, panthera uncia
    snowmobile	04252077	1336	802	
    snowplow	04252225	845	803	snowplough
    soap_dispenser	04254120	338	804	
    soccer_ball	04254680	84	805	
    sock	04254777	650	806	
    soda_bottle	03983396	173	737	pop bottle
    sofa	04256520	1124		couch, lounge
    sofa_bed	04344873	1190	831	studio couch, day bed
    soft_coated_wheaten_terrier	02098105	1291	202	soft-coated wheaten terrier
    solar_collector	04258138		807	solar dish, solar furnace
    sombrero	04259630	624	808	
    songbird	01525720	140		oscine, oscine bird
    sorrel_horse	02389026	647	339	sorrel
    soup	07583197	1000		
    soup_bowl	04263257	180	809	
    space_heater	04265275	631	811	
    space_shuttle	04266014	1201	812	
    spacecraft	04264914	1376		ballistic capsule, space vehicle
    spaghetti_squash	07716906	1257	940	
    spaniel	02101108	1217		
    spatula	04270147	343	813	
    speedboat	04273569	846	814	
    spider	01772222	55		
    spider_monkey	02493793	863	381	ateles geoffroyi
    spider_web	04275548		815	spider's web
    spiked_helmet	03929855	632	715	pickelhaube
    spindle	04277352		816	
    spiny_lobster	01984695	758	123	langouste, rock lobster, crawfish, crayfish, sea crawfish
    spiral	03065424		506	coil, volute, whorl, helix
    spitz	02111626	414		
    split_rail_fence	04604644	483	912	worm fence, snake fence, snake-rail fence, virginia fence
    spoon	04284002	338 382		
    spoonbill	02006656	1391	129	
    sporting_dog	02098550	659		gun dog
    sports_car	04285008	242	817	sport car
    sports_equipment	04285146			
    sports_racket	04039381	1219	752	racket, racquet
    spotlight	04286575	726	818	spot
    spotted_salamander	01632458	1087	28	ambystoma maculatum
    springer_spaniel	02101861	1203		springer
    squash	07715561	1375		
    squirrel	02355227	1067		
    squirrel_monkey	02494079	863	382	saimiri sciureus
    staffordshire_bull_terrier	02093256	210	179	staffordshire bullterrier
    standard_poodle	02113799	986	267	
    standard_schnauzer	02097209	1104	198	
    starfish	02317335	447	327	sea star
    station_wagon	02814533	242	436	beach wagon, wagon, estate car, beach waggon, station waggon, waggon
    steam_locomotive	04310018	760	820	
    steel_arch_bridge	04311004	196	821	
    steel_drum	04311174	939	822	
    stethoscope	04317175	799	823	
    stew	07588947	1000		
    stick_insect	02231487	671	313	walking stick, walkingstick
    stingray	01498041	1035	6	
    stinkhorn_mushroom	13040303	526	994	stinkhorn, carrion fungus
    stocking	04323819	650		
    stone_wall	04326547	483	825	
    stopwatch	04328186	1311	826	stop watch
    store	04202417	1251		shop
    stork	02002075	1391		
    stove	04330267	631 708	827	
    strainer	04332243	709	828	
    strawberry	07745940	132	949	
    street_sign	06794110	1158	919	
    stretcher	04336792	799	830	
    stringed_instrument	04338517	855		
    structure	04341686			construction
    stupa	04346328	1153	832	tope
    sturgeon	02640242	164	394	
    submarine	04347754	1399	833	pigboat, sub, u-boat
    sulphur_butterfly	02281406	1428	325	sulfur butterfly
    sulphur_crested_cockatoo	01819313	310	89	sulphur-crested cockatoo, kakatoe galerita, cacatua galerita
    summer_squash	07715721	1224		
    sundial	04355338	1310	835	
    sunglasses	04356056+04355933	472	836 837	dark glasses, shades, sunglass
    sunscreen	04357314	1320	838	sunblock, sun blocker
    suspension_bridge	04366367	196	839	
    sussex_spaniel	02102480	1203	220	
    swan	01858441	53		
    sweater	04370048	538		jumper
    sweatshirt	04370456	1264	841	
    swim_trunks	04371430	1267	842	swimming trunks, bathing trunks
    swimsuit	04371563	538		swimwear, bathing suit, swimming costume, bathing costume
    swine	02395003	471		
    syringe	04376876	799	845	
    t_shirt	03595614	1142	610	jersey, t-shirt, tee shirt
    tabby_cat	02123045	419	281	tabby
    table	04379243+04379964	530		
    table_lamp	04380533	726	846	
    tableware	04381994			
    tailed_frog	01644900	522	32	bell toad, ribbed toad, tailed toad, ascaphus trui
    tandem_bicycle	02835271	134	444	bicycle-built-for-two, tandem
    tape_player	04392985	459	848	
    tarantula	01774750	1206	76	
    taxi	02930766	242	468	cab, hack, taxicab
    teacup	07930864	431	968	cup
    teapot	04398044	342	849	
    teddy_bear	04399382	1330	850	teddy
    teiid_lizard	01685439	754		teiid
    telephone	04401088	459		phone, telephone set
    telescope	04403638	1107		scope
    television	04404412	412	851	television system
    tench	01440764	384	0	tinca tinca
    tennis_ball	04409515	84	852	
    tent	04411264	1251		collapsible shelter
    terrapin	01667778	1360	36	
    terrier	02092468	659		
    thatched_roof	04417672	1068	853	thatch
    theater	04417809	207		theatre, house
    theater_curtain	04418357	379	854	theatre curtain
    theater_stage	04296562	972	819	stage
    thimble	04423845	338	855	
    three_toed_sloth	02457408	1171	364	three-toed sloth, ai, bradypus tridactylus
    threshing_machine	04428191	479	856	thresher, thrasher
    throne	04429376	273	857	
    thrush	01557185	1195		
    tibetan_mastiff	02108551	791	244	
    tibetan_terrier	02097474	1291	200	chrysanthemum dog
    tick	01776313	55	78	
    tiger	02129604	135	292	panthera tigris
    tiger_beetle	02165105	124	300	
    tiger_cat	02123159	419	282	
    tiger_shark	01491361	1132	3	galeocerdo cuvieri
    tile_roof	04435653	1068	858	
    timber_wolf	02114367	1446	269	grey wolf, gray wolf, canis lupus
    timepiece	04437953	797		timekeeper, horologe
    timer	04438304	1310		
    tin_can	02946921	338		can, tin
    tissue	15074962	911		tissue paper
    titi_monkey	02493509	863	380	titi
    titmouse	01591697	1195		tit
    toaster	04442312	708	859	
    tobacco_store	04443257	1243	860	tobacco shop, tobacconist shop, tobacconist
    toilet_seat	04447861	1124	861	
    toilet_tissue	15075141	1313	999	toilet paper, bathroom tissue
    toiletry	04447443			toilet articles
    tool	04451818			
    tool_kit	02966687		477	carpenter's kit
    toothed_whale	02066707	1420		
    torch	04456115	745	862	
    totem_pole	04458633	323 392	863	
    toucan	01843383	140	96	
    tow_truck	04461696	1358	864	tow car, wrecker
    towel	04459362	473		
    tower	04460130	1251		
    toy	03964744			plaything
    toy_dog	02085374	414		toy
    toy_poodle	02113624	986	265	
    toy_spaniel	02086346	1331		
    toy_store	04462240	1243	865	toyshop
    toy_terrier	02087046	1331	158	
    tracked_vehicle	04464852	1423		
    tractor	04465501	1423	866	
    traffic_light	06874185		920	traffic signal, stoplight
    trailer	04467099	1423		house trailer
    train	04468005	1010		railroad train
    tram	04335435	1010 1423	829	streetcar, tramcar, trolley, trolley car
    trash_can	02747177	338	412	ashcan, garbage can, wastebin, ash bin, ash-bin, ashbin, dustbin, trash barrel, trash bin
    tray	04476259	338	868	
    treasure_chest	03014705	181	492	chest
    tree_frog	01644373	522	31	tree-frog
    treeing_walker_coonhound	02089867	516	166	walker hound, walker foxhound
    trench_coat	04479046	1031	869	
    triceratops	01704323	404	51	
    tricycle	04482393	1423	870	trike, velocipede
    trifle_dessert	07613480	395	927	trifle
    trilobite	01768244	62	69	
    trimaran	04483307	1084	871	
    tripod	04485082	947	872	
    triumphal_arch	04486054	56 838	873	
    trolleybus	04487081	218	874	trolley coach, trackless trolley
    trombone	04487394	188	875	
    trousers	04489008	538		trouser, pant
    truck	04490091	845		motortruck
    turnstile	04501370	543	877	
    turtle	01662784	1049		
    tusked_elephant	01871265	460	101	tusker
    typewriter_keyboard	04505470	698	878	
    umbrella	04507155	1135	879	
    underwear	04508163	538		undergarment, unmentionable
    ungulate	02370806	781		hoofed mammal
    unicycle	04509417	1423	880	monocycle
    uniform	04509592	304		
    upright_piano	04515003	948	881	upright
    utensil	04516672			
    vacuum_cleaner	04517823	641	882	vacuum
    valley	09468604	728	979	vale
    van	04520170	1358		
    vase	04522168	685	883	
    vaulted_ceiling	04523525	1068	884	vault
    vegetable	07707451	1007		veggie, veg
    vehicle	04524313			
    velvet	04525038	473	885	
    vending_machine	04525305	319	886	
    vertebrate	01471682	44		craniate
    vest	04531873	538		waistcoat
    viaduct	04532670	196	888	
    vine_snake	01739381	322	59	
    vintage_car	03777568	242	661	model t
    violin	04536866	179	889	fiddle
    viper	01752165	1179		
    viverrid	02134971	251		viverrine, viverrine mammal
    vizsla	02100583	978	211	hungarian pointer
    volcano	09472597	848	980	
    volleyball	04540053	84	890	
    vulture	01616318	141	23	
    wading_bird	02000954	53		wader
    waffle_iron	04542943	708	891	
    wagon	04543158	1423		waggon
    wall_clock	04548280	301	892	
    wallaby	01877812	695	104	brush kangaroo
    wallet	04548362	338	893	billfold, notecase, pocketbook
    wardrobe	04550184	530	894	closet, press
    warplane	04552348	24 814	895	military plane
    warship	04552696	814 1140		war vessel, combat ship
    warthog	02397096	1268	343	
    wash_tub	04493381	338	876	tub, vat
    washing_machine	04554684	641	897	washer, automatic washer
    watch	04555897	1310		ticker
    watchdog	02103841	1454		guard dog
    water_bottle	04557648	173	898	
    water_buffalo	02408429	206	346	water ox, asiatic buffalo, bubalus bubalis
    water_jug	04560804	693	899	
    water_snake	01737021	322	58	
    water_tower	04562935	338 1329	900	
    watercraft	04530566	1376		vessel
    waterfowl	01845132	53		water bird, waterbird
    weapon	04565375			arm, weapon system
    weasel	02441942	856	356	
    website	06359193	412	916	web site, internet site, site
    weevil	02177972	124	307	
    weighing_scale	04141975	797	778	scale, weighing machine
    weimaraner	02092339	653	178	
    welsh_springer_spaniel	02102177	1223	218	
    west_highland_white_terrier	02098286	1291	203	
    whale	02062744	269		
    wheel	04574999			
    wheelbarrow	02797295	615	428	barrow, garden cart, lawn cart
    wheeled_vehicle	04576211	1376		
    whippet	02091134	590	172	
    whiptail_lizard	01685808	1283	41	whiptail
    whiskey_jug	04579145	693	901	
    whistle	04579432		902	
    white_or_yellow_butterfly	02280458	222		pierid, pierid butterfly
    white_stork	02002556	1244	127	ciconia ciconia
    white_wolf	02114548	1446	270	arctic wolf, canis lupus tundrarum
    wig	04584207	304	903	
    wild_boar	02396427	1268	342	boar, sus scrofa
    wild_dog	02115335	237		
    wild_sheep	02414578	176		
    wildcat	02124623	260		
    wind_instrument	04586932	855		wind
    window_screen	04589890		904	
    window_shade	04590129	151	905	
    windsor_tie	04591157	860	906	
    wine	07891726	29		vino
    wine_bottle	04591713	173	907	
    winter_squash	07717070	1224		
    wire_haired_fox_terrier	02095314	1291	188	wire-haired fox terrier
    wirehaired_terrier	02095412	1291		wirehair, wire-haired terrier
    wok	04596742	341	909	
    wolf	02114100	237		
    wolf_spider	01775062	1206	77	hunting spider
    wolfhound	02090475	653		
    wombat	01883070	788	106	
    wooden_barrel	02795169	338	427	barrel, cask
    wooden_crate	03127925	181	519	crate
    wooden_spoon	04597913	1215	910	
    woodwind	04598582	1436		woodwind instrument, wood
    working_dog	02103406	414		
    worm	01922303	673		
    worm_snake	01728572	322	52	thunder snake, carphophis amoenus
    writing_implement	04608567			
    yarn	04599235	473	911	wool, woolen, woollen
    yawl_boat	04612504	1175	914	yawl
    yellow_garden_spider	01773157	1206	72	black and gold garden spider, argiope aurantia
    yellow_lady_slipper_orchid	12057211	889	986	yellow lady's slipper, yellow lady-slipper, cypripedium calceolus, cypripedium parviflorum
    yorkshire_terrier	02094433	1291	187	
    yurt	04613696	441	915	
    zebra	02391049	467	340	
    zucchini	07716358	1257	939	courgette
    """#
